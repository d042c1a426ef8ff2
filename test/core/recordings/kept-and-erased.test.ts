import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { attachment, begun, codeOf, ogg, studio } from './studio.ts'

describe('erasing', () => {
  test('destroys the key before the file, and leaves nothing of it', async () => {
    const { core, call, session_id, recording_id } = await begun(5)
    await call['recordings.addMark']({ recording_id, at_ms: 0, text: 'a word' })
    await call['recordings.finish']({ recording_id })
    const path = join(core.folder, `${recording_id}.afr`)
    copyFileSync(path, `${path}.stolen`)
    const erased = await call['recordings.erase']({ recording_id })
    expect(erased).toMatchObject({ state: 'erased', marks: [], gaps: [], ogg_sha256: null, bytes: 0 })
    expect(existsSync(path)).toBe(false)
    expect(core.db.prepare('select header, peaks from recordings').get()).toEqual({ header: null, peaks: null })
    expect(await call['recordings.get']({ session_id })).toEqual(erased)
    expect(await core.audio.stat(recording_id)).toBeNull()
    expect(await codeOf(ogg(core, recording_id))).toBe('gone')
    expect(await codeOf(call['recordings.attach']({ recording_id, ...attachment, gap: null }) as Promise<unknown>)).toBe('gone')
    rmSync(`${path}.stolen`)
  })

  test('that was cut off after the key was gone is finished by the next start', async () => {
    const { core, folder, clock, call, recording_id } = await begun(5)
    await call['recordings.finish']({ recording_id })
    const path = join(core.folder, `${recording_id}.afr`)
    const copy = readFileSync(path)
    await call['recordings.erase']({ recording_id })
    writeFileSync(path, copy)
    core.db.close()
    await studio(folder, clock).core.ready
    expect(existsSync(path)).toBe(false)
  })

  test('of signed audio writes row, receipt and audit entry together or not at all, and is tried again', async () => {
    const { core, call, session_id, recording_id } = await begun(5)
    await call['recordings.finish']({ recording_id })
    const path = join(core.folder, `${recording_id}.afr`)
    const state = async () => (await call['recordings.get']({ session_id }))?.state
    const receipts = () => core.db.prepare('select count(*) from deletion_receipts').pluck().get()
    core.due = [recording_id]
    core.db.exec(`create trigger full before update of state on recordings when new.state = 'erased'
      begin select raise(abort, 'disk full'); end`)
    await core.deleteDue()
    expect([await state(), receipts(), existsSync(path)]).toEqual(['finished', 0, true])
    expect(core.audited).not.toContain('recording.erased')
    expect((await ogg(core, recording_id)).length).toBeGreaterThan(0)
    core.db.exec('drop trigger full')
    await core.deleteDue()
    expect([await state(), receipts(), existsSync(path)]).toEqual(['erased', 1, false])
    expect(core.audited).toContain('recording.erased')
    expect((await call['recordings.retention']({ session_id })).receipt).toMatchObject({
      number: 1,
      reason: 'signed',
      deleted_by: 'Kim Osei',
      saved_ms: 1000,
    })
  })

  test('of signed audio asks once more in its own transaction whether it is due', async () => {
    const { core, call, session_id, recording_id } = await begun(5)
    await call['recordings.finish']({ recording_id })
    let asked = 0
    Object.defineProperty(core, 'due', { get: () => (asked++ === 0 ? [recording_id] : []) })
    await core.deleteDue()
    expect(asked).toBe(2)
    expect((await call['recordings.get']({ session_id }))?.state).toBe('finished')
    expect(await core.audio.stat(recording_id)).not.toBeNull()
  })

  test('works on one that is still running', async () => {
    const { call, recording_id, core } = await begun(5)
    expect(await call['recordings.erase']({ recording_id })).toMatchObject({ state: 'erased' })
    expect(core.append.status()).toEqual([])
  })
})

describe('start-up compares rows and files both ways', () => {
  test('a file without a row is shown, not forgotten', async () => {
    const { core, folder, clock, recording_id, session_id } = await begun(5)
    core.db.exec('delete from recordings')
    core.db.close()
    const next = studio(folder, clock)
    expect(await next.call['recordings.recoverable']({})).toMatchObject([
      { recording: { id: recording_id, session_id, saved_ms: 1000 } },
    ])
    expect(await next.call['recordings.finish']({ recording_id })).toMatchObject({ state: 'finished', saved_ms: 1000 })
  })

  /** Finished 60 s after its last sound; then its row is lost, and the app opens a quarter of an hour later. */
  async function finishedWithoutRow(consent: boolean) {
    const { core, folder, clock, recording_id, session_id } = await begun(5)
    clock.pass(60_000)
    const { finished_at, ogg_sha256 } = await core.handlers['recordings.finish']({ recording_id })
    core.db.exec('delete from recordings')
    core.db.close()
    clock.pass(15 * 60_000)
    const next = studio(folder, clock, undefined, consent)
    await next.core.ready
    return { ...next, recording_id, session_id, finished_at, ogg_sha256 }
  }

  test('a file without a row that had been finished is finished again as it was, without a question', async () => {
    const { core, call, session_id, finished_at, ogg_sha256 } = await finishedWithoutRow(true)
    expect(await call['recordings.recoverable']({})).toEqual([])
    core.verification.start()
    await vi.waitUntil(async () => (await call['recordings.get']({ session_id }))?.state === 'finished')
    expect(await call['recordings.get']({ session_id })).toMatchObject({ finished_at, ogg_sha256, saved_ms: 1000, gaps: [] })
    expect(core.audited).toEqual(['recording.finished'])
    await core.verification.stop()
  })

  test('a file without a row that had been finished waits for a decision where consent is missing', async () => {
    const { core, call, recording_id, finished_at } = await finishedWithoutRow(false)
    core.verification.start()
    await core.verification.stop()
    expect(await call['recordings.recoverable']({})).toMatchObject([
      { recording: { state: 'interrupted', finished_at }, interrupted_at: finished_at, lost_ms_at_most: 0 },
    ])
    expect(await call['recordings.finish']({ recording_id })).toMatchObject({ state: 'finished', finished_at })
  })

  test('one that cannot be finished again waits for a decision', async () => {
    const { core, call, recording_id } = await finishedWithoutRow(true)
    core.db.exec(`create trigger full before update of ogg_bytes on recordings when new.ogg_bytes is not null
      begin select raise(abort, 'disk full'); end`)
    core.verification.start()
    await vi.waitUntil(async () => (await call['recordings.recoverable']({})).length === 1)
    core.db.exec('drop trigger full')
    expect(await call['recordings.finish']({ recording_id })).toMatchObject({ state: 'finished' })
    await core.verification.stop()
  })

  test('how much is missing of a file without a row is not known', async () => {
    const { core, folder, clock } = await begun(5)
    core.db.exec('delete from recordings')
    core.db.close()
    clock.pass(15 * 60_000)
    expect(await studio(folder, clock).call['recordings.recoverable']({})).toMatchObject([{ lost_ms_at_most: null }])
  })

  test('a file without a row and without sound is a start that was cut off: it goes', async () => {
    const { core, folder, clock } = await begun(0)
    core.db.exec('delete from recordings')
    core.db.close()
    await studio(folder, clock).core.ready
    expect(readdirSync(core.folder)).toEqual([])
  })

  test('a damaged file header is mended from the database', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    const path = join(core.folder, `${recording_id}.afr`)
    const whole = readFileSync(path).subarray(0, 256)
    core.db.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x55, 0, 256))
    await studio(folder, clock).core.ready
    expect(readFileSync(path).subarray(0, 256).equals(whole)).toBe(true)
  })

  test('a row whose file is gone does not hide the other recordings', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    await core.handlers['recordings.finish']({ recording_id })
    const other = await begun(3, studio(folder, clock, core.append))
    core.db.close()
    rmSync(join(core.folder, `${recording_id}.afr`))
    const next = studio(folder, clock)
    expect(await next.call['recordings.recoverable']({})).toMatchObject([{ recording: { id: other.recording_id } }])
  })
})

test('marks are kept, renamed and removed', async () => {
  const { call, recording_id, session_id } = await begun(5)
  const mark = await call['recordings.addMark']({ recording_id, at_ms: 300, text: 'first' })
  await call['recordings.renameMark']({ recording_id, mark_id: mark.id, text: 'second' })
  expect((await call['recordings.get']({ session_id }))?.marks).toMatchObject([{ at_ms: 300, text: 'second' }])
  await call['recordings.removeMark']({ recording_id, mark_id: mark.id })
  expect((await call['recordings.get']({ session_id }))?.marks).toEqual([])
})

test('the waveform of a finished recording decodes no sound and needs no file', async () => {
  const { core, call, recording_id } = await begun(10)
  await call['recordings.finish']({ recording_id })
  rmSync(join(core.folder, `${recording_id}.afr`))
  expect(await call['recordings.waveform']({ recording_id, buckets: 5 })).toEqual({
    peaks: Array(5).fill(128 / 255),
    duration_ms: 2000,
  })
})

test('room on the disk is told in bytes and hours', async () => {
  const { call } = studio()
  const { free_bytes, hours } = await call['recordings.space']({})
  expect(hours).toBeCloseTo(free_bytes / 13_500_000, 0)
})
