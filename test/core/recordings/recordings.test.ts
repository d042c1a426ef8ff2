import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { recordOf } from './recording-kit.ts'
import { attachment, begun, codeOf, ogg, speak, studio, windowId } from './studio.ts'

describe('starting', () => {
  test('is refused without the consent of everyone, leaves no file and is written down', async () => {
    const { core, call } = studio()
    core.consent = false
    expect(await codeOf(call['recordings.start']({ session_id: newId(), ...attachment }) as Promise<unknown>)).toBe(
      'consent-missing',
    )
    expect(existsSync(core.folder) ? readdirSync(core.folder) : []).toEqual([])
    expect(core.audited).toEqual(['recording.refused:consent-missing'])
  })

  test('is refused while another recording runs, and where the session has one', async () => {
    const { call, session_id, recording_id } = await begun()
    const start = (session: string) =>
      codeOf(call['recordings.start']({ session_id: session, ...attachment }) as Promise<unknown>)
    expect(await start(newId())).toBe('recording-active')
    await call['recordings.finish']({ recording_id })
    expect(await start(session_id)).toBe('already-exists')
    await call['recordings.erase']({ recording_id })
    expect(await start(session_id)).toBe('done')
  })
})

describe('a whole recording', () => {
  test('is kept with its pause, its marks, its length and hash', async () => {
    const { core, call, clock, session_id, recording_id } = await begun(10)
    await call['recordings.pause']({ recording_id })
    clock.pass(60_000)
    await call['recordings.resume']({ recording_id })
    speak(core, recording_id, 10, 20, clock)
    const mark = await call['recordings.addMark']({ recording_id, at_ms: 1500, text: 'the dream' })
    const finished = await call['recordings.finish']({ recording_id })
    expect(finished).toMatchObject({
      state: 'finished',
      saved_ms: 4000,
      gaps: [{ at_ms: 2000, duration_ms: 60_200, reason: 'pause' }],
      marks: [mark],
    })
    expect(await call['recordings.get']({ session_id })).toEqual(finished)
    const bytes = await ogg(core, recording_id)
    expect(bytes.length).toBe(finished.ogg_bytes)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(finished.ogg_sha256)
    expect(demux(bytes).granules.at(-1)).toBe(4000 * 48)
    expect(await core.audio.stat(recording_id)).toEqual({ bytes: finished.ogg_bytes, sha256: finished.ogg_sha256, session_id })
    expect(core.finished).toEqual([finished])
    expect(core.audited).toEqual(['recording.started', 'recording.finished'])
    expect(await call['recordings.active']({})).toBeNull()
  })

  test('finished twice is finished once', async () => {
    const { core, call, recording_id } = await begun()
    const both = await Promise.all([call['recordings.finish']({ recording_id }), call['recordings.finish']({ recording_id })])
    expect(both[0]).toEqual(both[1])
    expect(core.finished.length).toBe(1)
  })

  test('plays while it still runs', async () => {
    const { core, recording_id } = await begun(10)
    expect(demux(await ogg(core, recording_id)).packets.length).toBe(102)
    expect((await core.audio.stat(recording_id))?.sha256).toBeNull()
  })

  test('that was damaged after it was finished no longer has its hash', async () => {
    const { core, folder, clock, recording_id } = await begun(10)
    await core.handlers['recordings.finish']({ recording_id })
    const path = join(core.folder, `${recording_id}.afr`)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(path, bytes)
    const later = studio(folder, clock)
    expect((await later.core.audio.stat(recording_id))?.sha256).toBeNull()
    expect(demux(await ogg(later.core, recording_id)).granules.at(-1)).toBe(2000 * 48)
  })
})

describe('windows and cores that go away', () => {
  test('a reload leaves a gap of the time that passed, and the records go on', async () => {
    const { core, call, clock, recording_id } = await begun(5)
    clock.pass(700)
    expect(await call['recordings.attach']({ recording_id, ...attachment, gap: 'reload' })).toEqual({
      next_sequence: 5,
      saved_ms: 1000,
    })
    speak(core, recording_id, 5, 6, clock)
    expect((await call['recordings.finish']({ recording_id })).gaps).toEqual([
      { at_ms: 1000, duration_ms: 900, reason: 'reload' },
    ])
  })

  test('a killed core finds it interrupted; its window takes it up without a gap', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    core.db.close()
    const next = studio(folder, clock)
    const [found] = await next.call['recordings.recoverable']({})
    expect(found).toMatchObject({
      client_name: 'A client',
      recording: { id: recording_id, state: 'interrupted', saved_ms: 1000 },
      lost_ms_at_most: 200,
    })
    expect(found?.interrupted_at).toBe(new Date(clock.now() - 200).toISOString())
    expect(await next.call['recordings.attach']({ recording_id, ...attachment, gap: null })).toEqual({
      next_sequence: 5,
      saved_ms: 1000,
    })
    expect(await next.call['recordings.active']({})).toMatchObject({ recording: { state: 'recording' }, window_id: windowId })
    speak(next.core, recording_id, 5, 6, clock)
    expect((await next.call['recordings.finish']({ recording_id })).gaps).toEqual([])
  })

  test('one that was paused when everything ended says that nothing was lost, and stays paused when taken up', async () => {
    const { core, folder, clock, call, recording_id } = await begun(5)
    await call['recordings.pause']({ recording_id })
    core.db.close()
    const next = studio(folder, clock)
    expect(await next.call['recordings.recoverable']({})).toMatchObject([{ lost_ms_at_most: 0 }])
    await next.call['recordings.attach']({ recording_id, ...attachment, gap: null })
    expect(await next.call['recordings.active']({})).toMatchObject({ recording: { state: 'paused' } })
  })

  test('a locked core that opens again finds the recording running in the append thread', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    core.db.close()
    const next = studio(folder, clock, core.append)
    speak(core, recording_id, 5, 8, clock)
    expect(await next.call['recordings.active']({})).toMatchObject({
      recording: { id: recording_id, state: 'recording', saved_ms: 1600 },
    })
    expect(await next.call['recordings.recoverable']({})).toEqual([])
  })

  test('a core that starts 43 s after the last record says that up to 43 s may be missing', async () => {
    const { core, folder, clock } = await begun(5)
    core.db.close()
    clock.pass(42_800)
    expect(await studio(folder, clock).call['recordings.recoverable']({})).toMatchObject([{ lost_ms_at_most: 43_000 }])
  })

  test('a window that died under a living core shows after seconds, with the time since its last record', async () => {
    const { call, clock, events } = await begun(5)
    clock.pass(11_000)
    expect(await call['recordings.recoverable']({})).toMatchObject([
      { lost_ms_at_most: 11_200, recording: { state: 'interrupted', saved_ms: 1000 } },
    ])
    expect(events).toContain('recording.changed')
  })

  test('a window that asks at any moment after another was killed learns of it, by its answer or by an event', async () => {
    const { call, clock, events } = await begun(5)
    const changes = (): number => events.filter((name) => name === 'recording.changed').length
    const before = changes()
    for (let ms = 200; ms <= 3500; ms += 50) {
      const found = await call['recordings.recoverable']({})
      expect([found.length, changes() - before]).toEqual(ms < 3000 ? [0, 0] : [1, 1])
      clock.pass(50)
    }
  })

  test('a window that only slept goes on recording', async () => {
    const { core, call, clock, recording_id } = await begun(5)
    clock.pass(11_000)
    await call['recordings.recoverable']({})
    speak(core, recording_id, 5, 6, clock)
    expect(await call['recordings.active']({})).toMatchObject({ recording: { state: 'recording' } })
  })

  test('a second window cannot push a living one aside', async () => {
    const { call, recording_id } = await begun(5)
    const second = { ...attachment, window_id: 'window-two', gap: 'interruption' as const }
    expect(await codeOf(call['recordings.attach']({ recording_id, ...second }) as Promise<unknown>)).toBe('recording-active')
  })

  test('a finish that was cut off before it was stored can be asked for again', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    core.append.close(recording_id)
    core.db.close()
    const next = studio(folder, clock)
    expect(await next.call['recordings.finish']({ recording_id })).toMatchObject({ state: 'finished', saved_ms: 1000 })
  })

  test('or be resumed, since nobody was told that it had ended', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    core.append.close(recording_id)
    core.db.close()
    const next = studio(folder, clock)
    await next.call['recordings.attach']({ recording_id, ...attachment, gap: 'interruption' })
    speak(next.core, recording_id, 5, 7, clock)
    expect(await next.call['recordings.finish']({ recording_id })).toMatchObject({ saved_ms: 1400 })
  })

  test('a recording whose sound grows is not paused, whatever was told before the lock', async () => {
    const { core, folder, clock, call, recording_id } = await begun(5)
    await call['recordings.pause']({ recording_id })
    expect(await call['recordings.active']({})).toMatchObject({ recording: { state: 'paused' } })
    core.db.close()
    core.append.reattach({ recording_id, window_id: windowId, gap: 'reload' })
    speak(core, recording_id, 5, 6, clock)
    const next = studio(folder, clock, core.append)
    expect(await next.call['recordings.active']({})).toMatchObject({ recording: { state: 'recording', saved_ms: 1200 } })
  })

  test('consent taken back while its window sleeps closes the file, so that waking up adds nothing', async () => {
    const { core, call, clock, session_id } = await begun(5)
    clock.pass(11_000)
    expect(await call['recordings.recoverable']({})).toHaveLength(1)
    core.consent = false
    expect(await core.writableSessions()).toEqual([session_id])
    await core.stopSession(session_id)
    expect(core.append.status()).toEqual([])
    expect(await core.writableSessions()).toEqual([])
    expect(core.audited).toContain('recording.stopped')
    expect(await call['recordings.get']({ session_id })).toMatchObject({ state: 'interrupted', saved_ms: 1000 })
  })

  test('a window that wakes up asks for consent before it counts as recording again', async () => {
    const { core, call, clock, session_id, recording_id } = await begun(5)
    clock.pass(11_000)
    await call['recordings.recoverable']({})
    core.consent = false
    speak(core, recording_id, 5, 6, clock)
    expect(await call['recordings.active']({})).toBeNull()
    expect(core.append.status()).toEqual([])
    expect(await call['recordings.get']({ session_id })).toMatchObject({ state: 'interrupted', saved_ms: 1200 })
  })

  test('a core that died between the no and the stop stops it when it is back', async () => {
    const { core, folder, clock, session_id } = await begun(5)
    core.db.close()
    const next = studio(folder, clock, core.append, false)
    await next.core.ready
    expect(core.append.status()).toEqual([])
    expect(await next.call['recordings.get']({ session_id })).toMatchObject({ state: 'interrupted', saved_ms: 1000 })
  })

  test('an attach asked again for want of an answer marks one gap, a core restarted in between included', async () => {
    const { core, folder, call, clock, recording_id } = await begun(5)
    const reload = { recording_id, ...attachment, gap: 'reload' as const }
    clock.pass(700)
    await call['recordings.attach'](reload)
    clock.pass(400)
    expect(await call['recordings.attach'](reload)).toEqual({ next_sequence: 5, saved_ms: 1000 })
    core.db.close()
    const next = studio(folder, clock)
    clock.pass(400)
    await next.call['recordings.attach']({ ...reload, gap: null })
    await next.call['recordings.attach'](reload)
    speak(next.core, recording_id, 5, 6, clock)
    await next.call['recordings.attach'](reload)
    speak(next.core, recording_id, 6, 7, clock)
    expect((await next.call['recordings.finish']({ recording_id })).gaps).toEqual([
      { at_ms: 1000, duration_ms: 900, reason: 'reload' },
      { at_ms: 1200, duration_ms: 200, reason: 'reload' },
    ])
  })

  test('under the lock only the window that feeds it takes it up again, and the opened core tells the gap', async () => {
    const { core, folder, clock, recording_id } = await begun(5)
    core.db.close()
    clock.pass(800)
    const again = (window_id: string) => codeOf((async () => core.append.reattach({ recording_id, window_id, gap: 'reload' }))())
    expect(await again('window-two')).toBe('recording-not-open')
    expect(await again(windowId)).toBe('done')
    speak(core, recording_id, 5, 6, clock)
    const next = studio(folder, clock, core.append)
    expect(await next.call['recordings.active']({})).toMatchObject({
      recording: { state: 'recording', saved_ms: 1200, gaps: [{ at_ms: 1000, duration_ms: 1000, reason: 'reload' }] },
    })
    const taken = { ...attachment, recording_id, window_id: 'window-two', gap: 'interruption' as const }
    clock.pass(11_000)
    await next.call['recordings.attach'](taken)
    expect(await again(windowId)).toBe('recording-not-open')
  })

  test('consent taken back stops it at once, keeps what was said, and lets no window take it up', async () => {
    const { core, call, session_id, recording_id } = await begun(5)
    core.consent = false
    await core.stopSession(session_id)
    expect(await codeOf(Promise.resolve().then(() => core.append.append({ recording_id, ...recordOf(5) })))).toBe(
      'recording-not-open',
    )
    expect(await codeOf(call['recordings.attach']({ recording_id, ...attachment, gap: null }) as Promise<unknown>)).toBe(
      'consent-missing',
    )
    expect(await call['recordings.get']({ session_id })).toMatchObject({ state: 'interrupted', saved_ms: 1000 })
  })
})
