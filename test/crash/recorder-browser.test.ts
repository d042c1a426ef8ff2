import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import type { RecorderState } from '#renderer/recorder/recorder-state.ts'
import { type At, buildPage, type Harness, startHarness } from './recorder-harness.ts'
import { seededRandom } from './seeded-random.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const why = process.platform === 'linux' ? await unmet('browser') : 'its processes are found by /proc'
const isLeftOut = leftOut('the recorder in a real browser', why)

let pageFolder: string
let harness: Harness

beforeAll(async () => {
  if (!isLeftOut) pageFolder = await buildPage()
})
afterAll(() => rmSync(pageFolder, { recursive: true, force: true }))
afterEach(() => harness.close())

async function recording(): Promise<string> {
  harness = await startHarness(pageFolder)
  const session_id = newId()
  await harness.page().evaluate((id) => window.recorder.start({ session_id: id, device_id: null }), session_id)
  await harness.until((state) => state.phase === 'recording' && state.saved_ms > 0)
  return session_id
}

const finish = (): Promise<void> => harness.page().evaluate(() => window.recorder.finish())
/** Until what is saved has come up to the clock again, within what is always under way: it never does if sound was lost. */
const keepsPace = (before: RecorderState & At) =>
  harness.until(({ saved_ms, at }) => Math.abs(saved_ms - before.saved_ms - (at - before.at)) < 600)
const saved = (least: number) => harness.until((state) => state.saved_ms >= least)

describe.skipIf(isLeftOut)('the recorder in a browser', { timeout: isFull ? 3_600_000 : 240_000 }, () => {
  test('records, pauses, survives a reload by itself within two seconds, and what it made plays and seeks', async () => {
    const session_id = await recording()
    await saved(1000)
    await harness.page().evaluate(() => window.recorder.pause())
    const paused = await harness.until((state) => state.phase === 'paused' && state.unsaved_records === 0)
    await harness.page().evaluate(() => window.recorder.resume())
    await saved(paused.saved_ms + 600)
    const { at: reloadedAt } = await harness.until(() => true)
    await harness.page().reload()
    const again = await harness.until((state) => state.phase === 'recording' && state.saved_ms > 0)
    await saved(again.saved_ms + 600)
    const last = await harness.page().evaluate(() => window.recorder.getState().captured_ms)
    await finish()
    const found = await harness.call('recordings.get', { session_id })
    expect(found).toMatchObject({ state: 'finished', gaps: [{ reason: 'pause', at_ms: paused.saved_ms }, { reason: 'reload' }] })
    // On a machine that took longer to load the page at all, the gap is as long as that.
    expect(found!.gaps[1]!.duration_ms).toBeLessThan(Math.max(2000, again.at - reloadedAt))
    expect(found!.saved_ms).toBeGreaterThanOrEqual(last)
    const played = await play(found!.id)
    expect(played.duration).toBeCloseTo(found!.saved_ms / 1000, 1)
    expect(played.at).toBeCloseTo(found!.saved_ms / 2000, 1)
    expect(harness.complaints).toEqual([])
  })

  test('a reload while paused stays paused', async () => {
    await recording()
    await harness.page().evaluate(() => window.recorder.pause())
    await harness.page().reload()
    const state = await harness.until(({ phase, recording: known }) => phase === 'paused' && known !== null)
    expect(state.recording?.state).toBe('paused')
    await harness.page().evaluate(() => window.recorder.resume())
    await saved(state.saved_ms + 200)
  })

  test('a stalled window loses nothing', async () => {
    const session_id = await recording()
    const before = await harness.until(() => true)
    await harness.page().evaluate(() => {
      const until = performance.now() + 6000
      while (performance.now() < until);
    })
    await keepsPace(before)
    await finish()
    expect((await harness.call('recordings.get', { session_id }))?.gaps).toEqual([])
  })

  test('a stalled capture loses nothing for as long as it is buffered', async () => {
    const session_id = await recording()
    const before = await harness.until(() => true)
    await harness
      .page()
      .workers()[0]!
      .evaluate(() => {
        const until = performance.now() + 7000
        while (performance.now() < until);
      })
    await saved(before.saved_ms + 7000)
    await keepsPace(before)
    await harness.page().evaluate(() => window.recorder.pause())
    await harness.until(({ phase, unsaved_records }) => phase === 'paused' && unsaved_records === 0)
    await finish()
    expect((await harness.call('recordings.get', { session_id }))?.gaps).toEqual([])
  })

  test('a killed and restarted core loses no sound at all', async () => {
    const session_id = await recording()
    const { random, seed } = seededRandom()
    process.stderr.write(`core kills under a browser: AFTERWORD_SEED=${seed}\n`)
    const first = await harness.until(() => true)
    for (let kill = 0; kill < (isFull ? 20 : 3); kill += 1) {
      await harness.killCore()
      await new Promise((resolve) => setTimeout(resolve, random() * 1200))
      await harness.startCore()
      const { saved_ms } = await harness.until(() => true)
      await saved(saved_ms + 400)
    }
    await keepsPace(first)
    await finish()
    expect(await harness.call('recordings.get', { session_id })).toMatchObject({ state: 'finished', gaps: [] })
    expect(harness.complaints).toEqual([])
  })

  test('a killed browser loses half a second at most, and the next launch shows what was saved', async () => {
    const { random, seed } = seededRandom()
    const losses: string[] = []
    process.stderr.write(`browser kills: AFTERWORD_SEED=${seed}\n`)
    for (let kill = 0; kill < (isFull ? 30 : 2); kill += 1) {
      await recording()
      await harness.page().evaluate(watchFirstSample)
      await new Promise((resolve) => setTimeout(resolve, 500 + random() * 1500))
      const { firstSampleAt, longestWaitMs } = await harness
        .page()
        .evaluate(() => ({ firstSampleAt: window.firstSampleAt, longestWaitMs: window.longestWaitMs }))
      const killedAt = Date.now()
      await harness.killBrowser()
      await harness.startBrowser()
      const found = await recovered()
      expect(found).toMatchObject({ client_name: 'A client', recording: { state: 'interrupted' } })
      const lost = killedAt - firstSampleAt - found.recording.saved_ms
      expect(lost).toBeLessThanOrEqual(found.lost_ms_at_most!)
      losses.push(`${lost}${longestWaitMs > stalledMs ? ' (stalled)' : ''}`)
      if (longestWaitMs <= stalledMs) expect(lost).toBeLessThanOrEqual(500)
      await harness.page().evaluate((id) => window.recorder.takeUp(id, 'interruption'), found.recording.id)
      await saved(found.recording.saved_ms + 200)
      await finish()
      await harness.close()
    }
    process.stderr.write(`browser kills lost, ms: ${losses.join(' ')}\n`)
  })
})

/** A record comes every 200 ms. Where one took so long the machine did not get to the sound, and a kill tells nothing of the app. */
const stalledMs = 350

/** The moment a record is complete, less its sound and all before it; the least delayed one tells it best. */
function watchFirstSample(): void {
  window.firstSampleAt = Number.POSITIVE_INFINITY
  window.longestWaitMs = 0
  let at = performance.now()
  let before = window.recorder.getState().captured_ms
  window.recorder.subscribe(() => {
    const { captured_ms } = window.recorder.getState()
    if (captured_ms <= before) return
    window.firstSampleAt = Math.min(window.firstSampleAt, Date.now() - captured_ms)
    window.longestWaitMs = Math.max(window.longestWaitMs, performance.now() - at)
    at = performance.now()
    before = captured_ms
  })
}

/** The recovery screen's question, asked again when the core says that recordings changed. */
async function recovered() {
  for (;;) {
    const [found] = await harness.call('recordings.recoverable', {})
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function play(recordingId: string): Promise<{ duration: number; at: number }> {
  return harness.page().evaluate(async (id) => {
    const audio = new Audio(`/media/recordings/${id}`)
    audio.preload = 'auto'
    await new Promise((resolve, reject) => {
      audio.oncanplaythrough = resolve
      audio.onerror = () => reject(new Error(audio.error?.message))
    })
    audio.currentTime = audio.duration / 2
    await new Promise((resolve) => (audio.onseeked = resolve))
    return { duration: audio.duration, at: audio.currentTime }
  }, recordingId)
}
