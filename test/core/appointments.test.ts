import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Session } from '#contract/model/session.ts'
import { coreKit, createProfile, noService, type CoreKit, type OpenCore } from './core-kit.ts'

/** A Tuesday, eight in the evening in UTC. */
const now = Date.parse('2026-11-24T20:00:00Z')
const clock = { ...systemClock, now: () => now }

let kit: CoreKit
let open: OpenCore
let client_id: string
beforeEach(async () => {
  kit = coreKit({ clock })
  open = await kit.open()
  await createProfile(open)
  client_id = (await open.call('clients.create', { display_name: 'Ana Lopez' })).id
})
afterEach(async () => {
  await open.core.close()
  kit.remove()
})

const add = (starts_at: string) =>
  open.call('sessions.create', { client_id, session_type: 'individual', starts_at, duration_minutes: 50 })
const rowOf = (id: string) => open.call('sessions.get', { id })
const set = ({ id, version }: Session, patch: MethodInput<'sessions.update'>['patch']) =>
  open.call('sessions.update', { id, version, patch })
const listed = async () => (await open.call('sessions.list', {})).map(({ session }) => session.id)
const owed = async () => (await open.call('sessions.unfinished', { limit: 100 })).rows.map(({ session }) => session.id)
const onTime = { is_late: false, reason: null, is_deleted: false }
const late = { is_late: true, reason: 'Flu', is_deleted: false }
const deletion = { ...onTime, is_deleted: true }
const transcript = { file_name: 'a.txt', content: new TextEncoder().encode('Client: I slept better.\nTherapist: Good.') }

describe('a note is owed', () => {
  test('for each past appointment until it is signed, canceled or missed, and every page counts the same', async () => {
    const [held, missed, canceled, unsaid, today] = [
      await add('2026-11-20T15:00:00Z'),
      await add('2026-11-20T16:00:00Z'),
      await add('2026-11-20T17:00:00Z'),
      await add('2026-11-23T15:00:00Z'),
      await add('2026-11-24T19:09:00Z'),
    ]
    await add('2026-11-24T19:59:00Z')
    await set(held, { status: 'completed' })
    await set(missed, { status: 'no_show' })
    await set(canceled, { status: 'cancelled' })
    await open.settled()
    expect(await owed()).toEqual([today.id, unsaid.id, held.id])
    const latest = await open.call('sessions.unfinished', { limit: 2 })
    expect({ ...latest, rows: latest.rows.map(({ session }) => session.id) }).toEqual({ count: 3, rows: [today.id, unsaid.id] })
    const rows = await open.call('sessions.list', {})
    expect(rows.flatMap(({ session, owes_note }) => (owes_note ? [session.id] : [])).toReversed()).toEqual(await owed())
    expect((await open.call('clients.get', { id: client_id })).unsigned_notes).toBe(3)
    expect((await open.call('clients.list', {}))[0]!.unsigned_notes).toBe(3)
    const { totals, series } = (await open.call('figures.read', { period: 'four_weeks' })).analytics
    expect(totals.notes_due).toBe(3)
    expect(series.map(({ figures }) => figures.notes_due)).toEqual([0, 0, 1, 2])
  })

  test('not while the session is recorded past its end', async () => {
    const session = await add('2026-11-24T18:00:00Z')
    await open.call('consents.give', {
      client_id,
      participant: { name: 'Ana Lopez', role: 'client' },
      scopes: ['record'],
      text_version: '1',
      method: 'spoken',
    })
    const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
    const start = { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' }
    const { recording_id } = await open.call('recordings.start', start)
    expect(await owed()).toEqual([])
    await open.call('recordings.finish', { recording_id })
    expect(await owed()).toEqual([session.id])
  })
})

describe('a canceled appointment', () => {
  test('keeps whether it was late and why, frees its time, and forgets both when it is put back', async () => {
    const session = await add('2026-11-25T15:00:00Z')
    const canceled = await open.call('sessions.cancel', { ...session, ...late })
    expect(canceled).toMatchObject({ status: 'cancelled', version: 2 })
    expect((await rowOf(session.id)).cancellation).toEqual(late)
    const other = await add('2026-11-25T15:30:00Z')
    await expect(set(canceled, { status: 'scheduled' })).rejects.toMatchObject({ code: 'double-booking', detail: other.id })
    await set(other, { starts_at: '2026-11-25T17:00:00Z' })
    const back = await set(canceled, { status: 'scheduled' })
    expect((await rowOf(session.id)).cancellation).toBeNull()
    await set(back, { status: 'cancelled' })
    expect((await rowOf(session.id)).cancellation).toEqual(onTime)
  })

  test('changed elsewhere in between is not canceled', async () => {
    const session = await add('2026-11-25T15:00:00Z')
    await set(session, { duration_minutes: 30 })
    await expect(open.call('sessions.cancel', { ...session, ...onTime })).rejects.toMatchObject({
      code: 'stale-version',
    })
    expect((await rowOf(session.id)).session.status).toBe('scheduled')
  })

  test('tells the service its status alone: the reason stays on this computer', async () => {
    await open.core.close()
    let sent = ''
    open = await kit.open({
      openService: async (options) => {
        const real = await kit.ports.openService(options)
        return {
          ...real,
          async fetch(request) {
            sent += await request.clone().text()
            return real.fetch(request)
          },
        }
      },
    })
    const session = await add('2026-11-25T15:00:00Z')
    await open.settled()
    await open.call('sessions.cancel', { ...session, ...late, reason: 'Broken ankle' })
    await open.settled()
    expect(sent).toContain('"status":"cancelled"')
    expect(sent).not.toMatch(/ankle|is_late/)
    expect((await open.call('figures.read', { period: 'four_weeks' })).analytics.totals.sessions_by_status).toMatchObject({
      cancelled: 1,
    })
  })
})

describe('a deleted appointment', () => {
  test('leaves every list and number, offline too, and comes back with Undo', async () => {
    await open.core.close()
    open = await kit.open({ openService: noService })
    const [first, second] = [await add('2026-11-25T15:00:00Z'), await add('2026-12-02T15:00:00Z')]
    const deleted = await open.call('sessions.cancel', { ...first, ...deletion })
    expect(await listed()).toEqual([second.id])
    expect((await rowOf(second.id)).number).toBe(1)
    expect(await open.call('clients.get', { id: client_id })).toMatchObject({
      session_count: 1,
      next_session_at: second.starts_at,
    })
    await set(deleted, { status: 'scheduled' })
    expect(await listed()).toEqual([first.id, second.id])
    expect((await rowOf(second.id)).number).toBe(2)
  })

  test('is canceled for the service, and back as soon as the practice schedules it again', async () => {
    const session = await add('2026-11-25T15:00:00Z')
    await open.settled()
    const deleted = await open.call('sessions.cancel', { ...session, ...deletion })
    await open.settled()
    expect(await open.call('outbox.list', {})).toEqual([])
    expect(await listed()).toEqual([])
    await set(deleted, { status: 'scheduled', starts_at: '2026-11-26T15:00:00Z' })
    expect(await listed()).toEqual([session.id])
  })

  test('for which something was written since is listed again', async () => {
    const session = await add('2026-11-23T15:00:00Z')
    await open.call('sessions.cancel', { ...session, ...deletion })
    expect(await listed()).toEqual([])
    await open.call('transcripts.import', { session_id: session.id, ...transcript })
    expect(await listed()).toEqual([session.id])
  })

  test('was canceled late before: with Undo it is that again', async () => {
    const session = await add('2026-11-25T15:00:00Z')
    const canceled = await open.call('sessions.cancel', { ...session, ...late })
    const deleted = await open.call('sessions.cancel', { ...canceled, ...deletion })
    expect(await listed()).toEqual([])
    await open.call('sessions.cancel', { ...deleted, ...late })
    expect(await listed()).toEqual([session.id])
    expect((await rowOf(session.id)).cancellation).toEqual(late)
  })

  test('has no recording, transcript or note: with one of them it stays', async () => {
    const session = await add('2026-11-23T15:00:00Z')
    await open.call('transcripts.import', { session_id: session.id, ...transcript })
    const { version } = (await rowOf(session.id)).session
    await expect(open.call('sessions.cancel', { id: session.id, version, ...deletion })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await listed()).toEqual([session.id])
  })
})

test('a double booking names the other appointment, whichever way it is booked', async () => {
  const other = await add('2026-11-25T15:00:00Z')
  const taken = { code: 'double-booking', detail: other.id }
  await expect(add('2026-11-25T15:49:00Z')).rejects.toMatchObject(taken)
  const next = await add('2026-11-25T15:50:00Z')
  await expect(set(next, { starts_at: '2026-11-25T14:30:00Z' })).rejects.toMatchObject(taken)
  const what = { client_id, session_type: 'individual', duration_minutes: 50, time_zone: 'America/Chicago' } as const
  await expect(open.call('schedule.book', { ...what, starts: ['2026-11-25T14:30:00Z'] })).rejects.toMatchObject(taken)
  const move = { session_id: next.id, version: 1, starts_at: '2026-11-25T14:30:00Z' }
  await expect(open.call('schedule.book', { ...what, starts: ['2026-11-27T14:30:00Z'], moves: [move] })).rejects.toMatchObject(
    taken,
  )
})

describe('changes of several appointments', () => {
  const changeAll = (changes: MethodInput<'sessions.changeAll'>['changes']) => open.call('sessions.changeAll', { changes })
  const to = ({ id, version }: Session, starts_at: string) => ({ id, version, patch: { starts_at }, cancellation: null })

  test('are saved together, or none of them is, with nothing left to send', async () => {
    await open.core.close()
    open = await kit.open({ openService: noService })
    const [first, second] = [await add('2026-11-25T15:00:00Z'), await add('2026-12-02T15:00:00Z')]
    const other = await add('2026-12-02T17:00:00Z')
    const waiting = (await open.call('outbox.list', {})).length
    await expect(changeAll([to(first, '2026-11-25T17:00:00Z'), to(second, '2026-12-02T17:00:00Z')])).rejects.toMatchObject({
      code: 'double-booking',
      detail: other.id,
    })
    expect((await rowOf(first.id)).session).toEqual(first)
    expect(await open.call('outbox.list', {})).toHaveLength(waiting)
    const moved = await changeAll([to(first, '2026-11-25T18:00:00Z'), to(second, '2026-12-02T19:00:00Z')])
    expect(moved.map(({ starts_at }) => starts_at)).toEqual(['2026-11-25T18:00:00.000Z', '2026-12-02T19:00:00.000Z'])
    await expect(changeAll([to(moved[0]!, '2026-11-25T20:00:00Z'), to(second, '2026-12-02T20:00:00Z')])).rejects.toMatchObject({
      code: 'stale-version',
    })
    expect((await rowOf(first.id)).session).toEqual(moved[0])
  })

  test('cancel them, and put back what was known of each', async () => {
    const [first, second] = [await add('2026-11-25T15:00:00Z'), await add('2026-12-02T15:00:00Z')]
    const before = await open.call('sessions.cancel', { ...second, ...late })
    const [canceled, deleted] = await changeAll([
      { id: first.id, version: first.version, patch: {}, cancellation: late },
      { id: second.id, version: before.version, patch: {}, cancellation: deletion },
    ])
    expect((await rowOf(first.id)).cancellation).toEqual(late)
    expect(await listed()).toEqual([first.id])
    await changeAll([
      { id: second.id, version: deleted!.version, patch: { status: 'cancelled' }, cancellation: late },
      { id: first.id, version: canceled!.version, patch: { status: 'scheduled' }, cancellation: null },
    ])
    expect(await listed()).toEqual([first.id, second.id])
    expect((await rowOf(second.id)).cancellation).toEqual(late)
    expect((await rowOf(first.id)).session.status).toBe('scheduled')
  })
})
