import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FILE_HEADER_BYTES } from '#core/recordings/format.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { change, damage, RECORD_BYTES, reopened, wholeMs } from './damage-kit.ts'
import { attachment, begun, ogg, speak, studio } from './studio.ts'

const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

describe('an interrupted recording', () => {
  test('whose file is gone can be finished, and is shown as lost', async () => {
    const made = await begun(80)
    await made.call['recordings.active']({})
    made.core.db.close()
    rmSync(join(made.core.folder, `${made.recording_id}.afr`))
    made.clock.pass(10 * 60_000)
    const next = studio(made.folder, made.clock)
    expect(await next.call['recordings.recoverable']({})).toMatchObject([
      { recording: { saved_ms: wholeMs, gaps: damage(0, wholeMs) } },
    ])
    const done = await next.call['recordings.finish']({ recording_id: made.recording_id })
    expect(done).toMatchObject({ state: 'finished', saved_ms: wholeMs, gaps: damage(0, wholeMs), ogg_sha256: null })
    expect(done.finished_at).toBe(after(done.started_at, wholeMs))
    expect(await next.call['recordings.active']({})).toBeNull()
    expect(await next.call['recordings.damaged']({})).toMatchObject([{ unreadable_ms: wholeMs }])
  })

  test('whose file was cut keeps its length, with the end shown as damage', async () => {
    const made = await begun(80)
    await made.call['recordings.active']({})
    made.core.db.close()
    truncateSync(join(made.core.folder, `${made.recording_id}.afr`), FILE_HEADER_BYTES + 40 * RECORD_BYTES)
    const next = studio(made.folder, made.clock)
    expect(await next.call['recordings.recoverable']({})).toMatchObject([
      { recording: { saved_ms: wholeMs, gaps: damage(8000, 8000) } },
    ])
    const done = await next.call['recordings.finish']({ recording_id: made.recording_id })
    expect(done).toMatchObject({ saved_ms: wholeMs, gaps: damage(8000, 8000) })
    expect(demux(await ogg(next.core, made.recording_id)).granules.at(-1)).toBe(wholeMs * 48)
  })

  /** Interrupted after 16 s; the app is closed, its file harmed, and 10 s later the app is open again. */
  async function harmed(harm: (path: string) => void) {
    const made = await begun(80)
    await made.call['recordings.active']({})
    made.core.db.close()
    harm(join(made.core.folder, `${made.recording_id}.afr`))
    made.clock.pass(10_000)
    const next = studio(made.folder, made.clock)
    await next.core.ready
    return { ...next, session_id: made.session_id, recording_id: made.recording_id }
  }

  const cutInHalf = (path: string): void => truncateSync(path, FILE_HEADER_BYTES + 40 * RECORD_BYTES)
  const interruption = (at_ms: number, duration_ms: number) => ({ at_ms, duration_ms, reason: 'interruption' })

  test.each([
    ['cut', cutInHalf, damage(8000, 8000)],
    ['emptied', (path: string) => truncateSync(path, 0), damage(0, wholeMs)],
    ['deleted', (path: string) => rmSync(path), damage(0, wholeMs)],
    [
      'changed in its last record',
      (path: string) => change(path, (bytes) => void (bytes[FILE_HEADER_BYTES + 79 * RECORD_BYTES + 100]! ^= 1)),
      damage(15_800, 200),
    ],
    [
      'zeroed in the middle',
      (path: string) =>
        change(path, (bytes) => void bytes.fill(0, FILE_HEADER_BYTES + 20 * RECORD_BYTES, FILE_HEADER_BYTES + 25 * RECORD_BYTES)),
      damage(4000, 1000),
    ],
  ])('whose file was %s is resumed behind its end, and the damage stays reported', async (_, harm, lost) => {
    const { call, core, clock, recording_id, folder } = await harmed(harm)
    expect(await call['recordings.recoverable']({})).toMatchObject([{ recording: { saved_ms: wholeMs, gaps: lost } }])
    const { next_sequence, saved_ms } = await call['recordings.attach']({ recording_id, ...attachment, gap: 'interruption' })
    expect(saved_ms).toBe(wholeMs)
    speak(core, recording_id, next_sequence, next_sequence + 5, clock)
    const done = await call['recordings.finish']({ recording_id })
    const breaks = done.gaps.filter(({ reason }) => reason !== 'damage')
    expect(done).toMatchObject({ state: 'finished', saved_ms: wholeMs + 1000 })
    expect(done.gaps.filter(({ reason }) => reason === 'damage')).toEqual(lost)
    expect(breaks).toMatchObject([{ at_ms: wholeMs, reason: 'interruption' }])
    const again = await reopened({ core, folder, clock })
    expect(await again.damageOf(done.session_id)).toEqual(lost)
    expect(await again.call['recordings.damaged']({})).toMatchObject([{ unreadable_ms: lost[0]!.duration_ms }])
    expect(demux(await ogg(again.core, recording_id)).granules.at(-1)).toBe((wholeMs + 1000) * 48)
  })

  test('whose end was cut off is not called interrupted before its last sound', async () => {
    const { call, clock, recording_id } = await harmed(cutInHalf)
    const interruptedAt = clock.now() - 10_200
    expect(await call['recordings.recoverable']({})).toMatchObject([
      { interrupted_at: new Date(interruptedAt).toISOString(), lost_ms_at_most: 10_200 },
    ])
    await call['recordings.attach']({ recording_id, ...attachment, gap: 'interruption' })
    expect((await call['recordings.active']({}))?.recording.gaps).toEqual([...damage(8000, 8000), interruption(wholeMs, 10_200)])
  })

  test('ended with its last sound, however late it is finished', async () => {
    const { call, clock, core, recording_id } = await harmed(() => {})
    clock.pass(4 * 60_000)
    const done = await call['recordings.finish']({ recording_id })
    expect(done.finished_at).toBe(after(done.started_at, wholeMs - 200))
    expect(core.finished).toEqual([done])
  })

  test('that was resumed ends when it is finished', async () => {
    const { call, clock, recording_id } = await harmed(() => {})
    await call['recordings.attach']({ recording_id, ...attachment, gap: 'interruption' })
    clock.pass(60_000)
    const done = await call['recordings.finish']({ recording_id })
    expect(done.finished_at).toBe(new Date(clock.now()).toISOString())
  })

  test('that is damaged while it waits for a decision is shown damaged the next time', async () => {
    const first = await harmed(() => {})
    expect(await first.call['recordings.recoverable']({})).toMatchObject([{ recording: { gaps: [] } }])
    first.core.db.close()
    const path = join(first.core.folder, `${first.recording_id}.afr`)
    const copy = readFileSync(path)
    cutInHalf(path)
    const second = studio(first.folder, first.clock)
    expect(await second.call['recordings.recoverable']({})).toMatchObject([
      { recording: { saved_ms: wholeMs, gaps: damage(8000, 8000) } },
    ])
    second.core.db.close()
    rmSync(path)
    const third = studio(first.folder, first.clock)
    expect(await third.call['recordings.recoverable']({})).toMatchObject([{ recording: { gaps: damage(0, wholeMs) } }])
    third.core.db.close()
    writeFileSync(path, copy)
    const fourth = studio(first.folder, first.clock)
    expect(await fourth.call['recordings.recoverable']({})).toMatchObject([{ recording: { saved_ms: wholeMs, gaps: [] } }])
    fourth.core.db.close()
  })
})
