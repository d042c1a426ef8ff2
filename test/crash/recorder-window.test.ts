import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordingPath } from '#contract/bridge/library.ts'
import type { MethodName } from '#contract/bridge/methods.ts'
import { newId } from '#base/ids.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { wavOf } from '#test/support/wav.ts'
import { buildPage, type Harness, startHarness } from './recorder-harness.ts'

const why = process.platform === 'linux' ? await unmet('browser') : 'its processes are found by /proc'
const isLeftOut = leftOut('what happens to a window that records', why)

declare global {
  interface Window {
    openMicrophone: MediaStreamTrack | null
    /** The recording's states the core told of. */
    states: string[]
  }
}

let pageFolder: string
let harness: Harness

beforeAll(async () => {
  if (!isLeftOut) pageFolder = await buildPage()
})
afterAll(() => rmSync(pageFolder, { recursive: true, force: true }))
afterEach(() => harness.close())

async function recording(microphone?: string): Promise<string> {
  harness = await startHarness(pageFolder, microphone)
  await harness.page().evaluate(holdMicrophone)
  const session_id = newId()
  await harness.page().evaluate((id) => window.recorder.start({ session_id: id, device_id: null }), session_id)
  await harness.until((state) => state.phase === 'recording' && state.saved_ms > 400)
  return session_id
}

/** What `recorder-server.ts` takes whatever its input. */
const turn = (name: 'vault.lock' | 'vault.unlock' | 'consents.revoke' | 'app.resumed') =>
  harness.call(name as MethodName, {} as never)

describe.skipIf(isLeftOut)('a window that records', { timeout: 240_000 }, () => {
  test('goes on by itself when it is reloaded under the lock, with a gap of two seconds at most', async () => {
    const session_id = await recording()
    await turn('vault.lock')
    const { at: reloadedAt } = await harness.until(() => true)
    await harness.page().reload()
    const again = await harness.until((state) => state.phase === 'recording')
    await harness.until((state) => state.phase === 'recording' && state.saved_ms > 1500)
    await turn('vault.unlock')
    const { recording: known } = await harness.until((state) => state.recording !== null)
    expect(known?.session_id).toBe(session_id)
    await harness.page().evaluate(() => window.recorder.finish())
    const found = await harness.call('recordings.get', { session_id })
    expect(found).toMatchObject({ state: 'finished', gaps: [{ reason: 'reload' }] })
    // On a machine that took longer to load the page at all, the gap is as long as that.
    expect(found!.gaps[0]!.duration_ms).toBeLessThan(Math.max(2000, again.at - reloadedAt))
  })

  test('opens the microphone again when the computer wakes, and marks the gap', async () => {
    const session_id = await recording()
    const { saved_ms } = await harness.until(() => true)
    await harness.page().evaluate(() => (window.openMicrophone = null))
    await turn('app.resumed')
    await harness.page().waitForFunction(() => window.openMicrophone !== null)
    await harness.until((state) => state.phase === 'recording' && state.saved_ms > saved_ms + 600)
    await harness.page().evaluate(() => window.recorder.finish())
    expect(await harness.call('recordings.get', { session_id })).toMatchObject({ gaps: [{ reason: 'interruption' }] })
  })

  test('stays paused when the computer wakes', async () => {
    await recording()
    await harness.page().evaluate(() => window.recorder.pause())
    await harness.page().evaluate(() => (window.openMicrophone = null))
    await turn('app.resumed')
    await harness.page().waitForTimeout(500)
    expect(await harness.page().evaluate(() => window.openMicrophone)).toBeNull()
    await harness.until((state) => state.phase === 'paused')
  })

  test('hands over everything it captured before the app quits', async () => {
    const session_id = await recording()
    await harness.page().evaluate(() => window.recorder.handOver())
    const state = await harness.until(() => true)
    expect(state).toMatchObject({ unsaved_records: 0, saved_ms: state.captured_ms })
    expect(await harness.page().evaluate(() => window.openMicrophone?.readyState)).toBe('ended')
    const { saved_ms } = (await harness.call('recordings.active', {}))!.recording
    expect(saved_ms).toBe(state.saved_ms)
    expect((await harness.call('recordings.get', { session_id }))?.state).toBe('recording')
  })

  test('stays paused when it is reloaded under the lock', async () => {
    await recording()
    await harness.page().evaluate(() => window.recorder.pause())
    await turn('vault.lock')
    await harness.page().reload()
    await harness.until((state) => state.phase === 'paused' && state.recording === null)
    await turn('vault.unlock')
    await harness.until((state) => state.phase === 'paused' && state.recording?.state === 'paused')
  })

  test('shows no pause that the core refused, after a reload', async () => {
    await recording()
    await harness.page().evaluate(() => window.recorder.pause())
    await turn('consents.revoke')
    await harness.page().reload()
    await harness.until((state) => state.phase === 'idle' && state.error === 'consent-missing')
  })

  test('keeps its recording when its tab is copied; the copy feeds none', async () => {
    const session_id = await recording()
    const copied = harness.page().waitForEvent('popup')
    await harness.page().evaluate(() => void window.open(location.href))
    const copy = await copied
    await copy.waitForFunction(() => sessionStorage.length === 1 && window.recorder?.getState().phase === 'idle')
    const names = await Promise.all([harness.page(), copy].map((page) => page.evaluate(() => sessionStorage['afterword.window'])))
    expect(names[0]).not.toBe(names[1])
    const { saved_ms } = await harness.until(() => true)
    await harness.until((state) => state.saved_ms > saved_ms + 600)
    await harness.page().evaluate(() => window.recorder.finish())
    expect((await harness.call('recordings.get', { session_id }))?.gaps).toEqual([])
  })

  test('loud steady tones are heard as tones, but for half a second at most', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'afterword-tones-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const tones = join(folder, 'tones.wav')
    writeFileSync(
      tones,
      wavOf(20, (at) => [500, 1200, 2900].reduce((sum, hertz) => sum + 0.2 * Math.sin(2 * Math.PI * hertz * at), 0)),
    )
    const session_id = await recording(tones)
    await harness.until((state) => state.saved_ms > 3500)
    await harness.page().evaluate(() => window.recorder.finish())
    const { id } = (await harness.call('recordings.get', { session_id }))!
    const levels = await harness.page().evaluate(loudnessOf, recordingPath(id))
    expect(levels.length).toBeGreaterThan(30)
    // The tones are at 0.24; where the encoder loses its way they decode at 0.9.
    expect(levels.filter((level) => level > 0.5).length).toBeLessThanOrEqual(5)
  })

  test('does not count as cut off while its microphone is away, and goes on with a gap when it is back', async () => {
    const session_id = await recording()
    await harness.page().evaluate(unplug)
    await harness.until((state) => state.phase === 'trouble' && state.error === 'microphone-missing')
    const { recording: before } = await harness.until(() => true)
    await new Promise((resolve) => setTimeout(resolve, 7000)) // longer than a window may be silent
    expect(await harness.page().evaluate(() => window.states)).not.toContain('interrupted')
    await harness.page().evaluate(holdMicrophone)
    await harness.until((state) => state.phase === 'recording' && state.saved_ms > before!.saved_ms + 600)
    await harness.page().evaluate(() => window.recorder.finish())
    const found = await harness.call('recordings.get', { session_id })
    expect(found?.gaps).toMatchObject([{ reason: 'device' }])
    expect(found?.gaps[0]?.duration_ms).toBeGreaterThan(6500)
  })
})

/** Notes the open microphone and every state of the recording. */
function holdMicrophone(): void {
  if (window.states === undefined) {
    window.states = []
    window.bridge.on(
      (name, payload) => void (name === 'recording.changed' && window.states.push((payload as { state: string }).state)),
    )
  }
  const open = MediaDevices.prototype.getUserMedia
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open.call(navigator.mediaDevices, constraints)
    window.openMicrophone = stream.getAudioTracks()[0] ?? null
    return stream
  }
}

/** Runs in the window: of each tenth of a second. */
async function loudnessOf(address: string): Promise<number[]> {
  const bytes = await (await fetch(address)).arrayBuffer()
  const samples = (await new OfflineAudioContext(1, 48_000, 48_000).decodeAudioData(bytes)).getChannelData(0)
  return Array.from({ length: Math.floor(samples.length / 4800) }, (_, tenth) =>
    Math.sqrt(samples.slice(tenth * 4800, (tenth + 1) * 4800).reduce((sum, sample) => sum + sample * sample, 0) / 4800),
  )
}

function unplug(): void {
  navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException('unplugged', 'NotFoundError')
  }
  window.openMicrophone?.stop()
}
