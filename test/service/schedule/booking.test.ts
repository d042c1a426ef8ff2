import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceClient, SlotTaken } from '#client/client.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { aClient, aSession, anId } from '../service-kit.ts'
import type { ScheduleKit } from './schedule-kit.ts'
import { openScheduleKit, schedule, zone } from './schedule-kit.ts'

let practice: ScheduleKit
let owner: ServiceClient
beforeEach(async () => {
  practice = await openScheduleKit()
  owner = practice.owner
})
afterEach(() => practice.close())

const code = (expected: string) => expect.objectContaining({ code: expected })
const sessionsOf = async (client: Client): Promise<Session[]> =>
  (await owner.call('listSessions', { query: { client_id: client.id, limit: 200 } })).data.data

describe('a time is offered, taken, and then gone', () => {
  test('an offer is booked once; whoever comes later gets fresh times', async () => {
    const ana = await aClient(owner)
    const { proposals } = await schedule(owner, 'propose', { client_ids: [ana.id] }, { text: 'any Tuesday afternoon' })
    const [first] = proposals
    expect(first!.occurrences).toEqual([
      { start: '2026-11-03T12:00:00', end: '2026-11-03T12:50:00', tzid: zone, utc_offset: '-06:00' },
    ])
    expect(first!.why).toEqual(expect.arrayContaining(['Requested: Tuesday.', 'Requested: not before 12:00 PM.']))
    const book = () => schedule(owner, 'book', { client_ids: [ana.id] }, { proposal_id: first!.id })
    const results = await Promise.all(Array.from({ length: 12 }, () => book().catch((error: SlotTaken) => error)))
    const lost = results.filter((result): result is SlotTaken => result instanceof Error)
    expect(lost).toHaveLength(11)
    for (const { code: what, proposals: fresh, conflicts } of lost) {
      expect(what).toBe('double-booking')
      expect(fresh.length).toBeGreaterThan(0)
      expect(fresh[0]!.occurrences[0]!.start).not.toBe(first!.occurrences[0]!.start)
      expect(conflicts[0]!.fix_ids).toEqual(fresh.map(({ id }) => id))
    }
    expect(await sessionsOf(ana)).toMatchObject([{ starts_at: '2026-11-03T18:00:00.000Z', time_zone: zone, status: 'scheduled' }])
    const again = await schedule(owner, 'book', { client_ids: [ana.id] }, { proposal_id: lost[0]!.proposals[0]!.id })
    expect(again.status).toBe('ok')
  })
  test('the same call again finds the same booking', async () => {
    const ana = await aClient(owner)
    const body = {
      mode: 'book' as const,
      request: {
        client_ids: [ana.id],
        type: 'individual' as const,
        duration_minutes: 50,
        tzid: zone,
        start: '2026-11-03T10:00:00',
      },
    }
    const first = await owner.call('schedule', { body, idempotencyKey: 'once' })
    const second = await owner.call('schedule', { body, idempotencyKey: 'once' })
    expect(second).toMatchObject({ replayed: true, data: first.data })
    expect(await sessionsOf(ana)).toHaveLength(1)
  })
  test('an offer ends after a quarter of an hour, and is nobody else’s', async () => {
    const ana = await aClient(owner)
    const [offer] = (await schedule(owner, 'propose', { client_ids: [ana.id] })).proposals
    const other = await practice.as(['owner'])
    const theirs = schedule(other.client, 'book', { client_ids: [ana.id] }, { proposal_id: offer!.id })
    await expect(theirs).rejects.toEqual(code('not-found'))
    practice.pass(16)
    const late = schedule(owner, 'book', { client_ids: [ana.id] }, { proposal_id: offer!.id })
    await expect(late).rejects.toEqual(
      expect.objectContaining({ code: 'conflict', proposals: expect.arrayContaining([expect.anything()]) }),
    )
    expect(await sessionsOf(ana)).toEqual([])
  })
  test('a check says what is in the way, books nothing, and names what would be free of it', async () => {
    const ana = await aClient(owner)
    const taken = await aSession(owner, ana.id, { starts_at: '2026-11-03T16:00:00Z' })
    const answer = await schedule(owner, 'check', { client_ids: [ana.id], start: '2026-11-03T10:30:00' })
    expect(answer.status).toBe('conflict')
    expect(answer.conflicts.map(({ kind, with: other }) => [kind, other])).toEqual([
      ['clinician_double', { type: 'session', id: taken.id }],
      ['client_double', { type: 'session', id: taken.id }],
    ])
    expect(answer.conflicts[0]!.fix_ids).toEqual(answer.proposals.map(({ id }) => id))
    expect(await schedule(owner, 'check', { client_ids: [ana.id], start: '2026-11-03T11:00:00' })).toMatchObject({
      status: 'ok',
      conflicts: [],
    })
    expect(await sessionsOf(ana)).toHaveLength(1)
  })
  test('a question without a start, a window that ends before it begins, and a rule without an end are refused with their place', async () => {
    const ana = await aClient(owner)
    const refused = (pointer: string) =>
      expect.objectContaining({ code: 'validation-failed', fields: [expect.objectContaining({ pointer })] })
    await expect(schedule(owner, 'check', { client_ids: [ana.id] })).rejects.toEqual(refused('/request/start'))
    const window = { from: '2026-11-05T00:00:00', to: '2026-11-04T00:00:00' }
    await expect(schedule(owner, 'propose', { client_ids: [ana.id] }, { window })).rejects.toEqual(refused('/window/to'))
    for (const rrule of ['FREQ=DAILY', 'FREQ=DAILY;COUNT=1000', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2', 'x'])
      await expect(schedule(owner, 'propose', { client_ids: [ana.id], rrule })).rejects.toEqual(refused('/request/rrule'))
  })
  test('what cannot be is said with what makes it so', async () => {
    const ana = await aClient(owner)
    const answer = await schedule(
      owner,
      'propose',
      { client_ids: [ana.id], duration_minutes: 120 },
      { constraints: { earliest: '10:00', latest: '11:00' } },
    )
    expect(answer).toMatchObject({
      status: 'infeasible',
      proposals: [],
      infeasible_core: ['constraints.earliest', 'constraints.latest'],
    })
  })
})

describe('a couple', () => {
  test('is booked as one session with both in the room, and neither can be elsewhere', async () => {
    const [ana, ben] = [await aClient(owner), await aClient(owner, 'Ben')]
    await schedule(owner, 'book', { client_ids: [ana.id, ben.id], type: 'couple', start: '2026-11-03T10:00:00' })
    const [session] = await sessionsOf(ana)
    expect(session!.participants).toEqual([
      { name: 'Ana Lopez', role: 'client' },
      { name: 'Ben', role: 'partner' },
    ])
    const clash = await schedule(owner, 'check', {
      client_ids: [ben.id],
      clinician_id: await practice.kit.employ(['clinician']),
      start: '2026-11-03T10:30:00',
    })
    expect(clash.conflicts).toMatchObject([{ kind: 'client_double', with: { type: 'session', id: session!.id } }])
  })
})

describe('rooms and working hours', () => {
  test('times are offered within hours that are kept, in the smallest room that holds everybody', async () => {
    const ana = await aClient(owner)
    const { client: dana, person } = await practice.as(['clinician'])
    const hours = {
      kind: 'hours' as const,
      clinician_id: person,
      time_zone: zone,
      weekly: [{ day: 'WE' as const, from: '13:00', to: '15:00' }],
    }
    await dana.call('putAvailability', { params: { id: anId() }, body: hours })
    const [small, large] = [anId(), anId()]
    await owner.call('putRoom', { params: { id: large }, body: { name: 'Large', capacity: 10 } })
    await owner.call('putRoom', { params: { id: small }, body: { name: 'Small', capacity: 2, time_zone: zone } })
    const answer = await schedule(owner, 'propose', { client_ids: [ana.id], clinician_id: person })
    expect(answer.proposals[0]).toMatchObject({
      clinician_id: person,
      room_id: small,
      occurrences: [{ start: '2026-11-04T13:00:00' }],
    })
    for (const { occurrences } of answer.proposals) expect(occurrences[0]!.start).toMatch(/T1[34]:/)
    const off = {
      kind: 'time_off' as const,
      clinician_id: person,
      time_zone: zone,
      from: '2026-11-04T00:00:00',
      to: '2026-11-05T00:00:00',
    }
    await dana.call('putAvailability', { params: { id: anId() }, body: off })
    const later = await schedule(owner, 'propose', { client_ids: [ana.id], clinician_id: person })
    expect(later.proposals[0]).toMatchObject({ occurrences: [{ start: '2026-11-11T13:00:00' }] })
  })
  test('are kept with a version, clinicians their own alone, and what holds for all by those who book for all', async () => {
    const { client: dana, person } = await practice.as(['clinician'])
    const body = { kind: 'hours' as const, clinician_id: person, time_zone: zone, weekly: [] }
    const id = anId()
    const kept = (await dana.call('putAvailability', { params: { id }, body })).data
    expect((await dana.call('getAvailability', { params: { id } })).data).toEqual(kept)
    await expect(dana.call('putAvailability', { params: { id }, body })).rejects.toEqual(code('version-required'))
    await expect(
      dana.call('putAvailability', { params: { id: anId() }, body: { ...body, clinician_id: anId() } }),
    ).rejects.toEqual(code('not-found'))
    const closure = { kind: 'closure' as const, time_zone: zone, from: '2026-12-25T00:00:00', to: '2026-12-26T00:00:00' }
    await expect(dana.call('putAvailability', { params: { id: anId() }, body: closure })).rejects.toEqual(code('forbidden'))
    const desk = (await practice.as(['front_desk'])).client
    await desk.call('putAvailability', { params: { id: anId() }, body: closure })
    const other = await practice.as(['clinician'])
    await expect(other.client.call('getAvailability', { params: { id } })).rejects.toEqual(code('not-found'))
    expect((await other.client.call('listAvailability', {})).data.data.map(({ kind }) => kind)).toEqual(['closure'])
    await expect(dana.call('putRoom', { params: { id: anId() }, body: { name: 'Mine' } })).rejects.toEqual(code('forbidden'))
  })
})

describe('nobody else’s appointment', () => {
  test('is shown to those who may not see it, moved by them, or anywhere in what they read', async () => {
    const { client: dana, person: danaId } = await practice.as(['clinician'])
    const { client: eli, person: eliId } = await practice.as(['clinician'])
    const room = anId()
    await owner.call('putRoom', { params: { id: room }, body: { name: 'One', capacity: 3, time_zone: zone } })
    const hidden = (await eli.call('createClient', { body: { display_name: 'Canary Kestrel', clinician_id: eliId } })).data
    const at = { client_ids: [hidden.id], clinician_id: eliId, room_id: room, start: '2026-11-03T10:00:00' }
    const { appointment } = await schedule(eli, 'book', at)
    const own = (await dana.call('createClient', { body: { display_name: 'Ana', clinician_id: danaId } })).data
    const mine = { client_ids: [own.id], clinician_id: danaId, room_id: room, start: '2026-11-03T10:00:00' }
    const answers = [
      await schedule(dana, 'check', mine),
      await schedule(dana, 'propose', mine),
      await schedule(dana, 'resolve', mine, { max_moves: 5 }),
      await schedule(dana, 'book', mine).catch((error: SlotTaken) => ({
        ...error,
        conflicts: error.conflicts,
        proposals: error.proposals,
      })),
    ]
    expect(answers[0]).toMatchObject({
      status: 'conflict',
      conflicts: [{ kind: 'room_double', with: { type: 'busy', id: null } }],
    })
    expect(answers[2]).toMatchObject({ status: 'infeasible', proposals: [] })
    for (const secret of [hidden.id, appointment!.id, eliId, 'Kestrel']) expect(JSON.stringify(answers)).not.toContain(secret)
    await expect(schedule(dana, 'check', { ...mine, client_ids: [hidden.id] })).rejects.toEqual(code('not-found'))
    await expect(schedule(dana, 'check', { ...mine, clinician_id: eliId })).rejects.toEqual(code('not-found'))
    await expect(schedule(dana, 'propose', { ...mine, session_id: appointment!.id })).rejects.toEqual(code('not-found'))
  })
  test('a biller reads the schedule, sees that somebody is busy, and books nothing', async () => {
    const ana = await aClient(owner)
    await aSession(owner, ana.id, { starts_at: '2026-11-03T16:00:00Z' })
    const biller = (await practice.as(['biller'])).client
    const request = { client_ids: [ana.id], start: '2026-11-03T10:00:00' }
    expect((await schedule(biller, 'check', request)).conflicts[0]).toMatchObject({ with: { type: 'busy', id: null } })
    await expect(schedule(biller, 'book', request)).rejects.toEqual(code('forbidden'))
  })
})

describe('room made by moving others', () => {
  test('is offered, and nothing moves before each who would is named', async () => {
    const [ana, ben] = [await aClient(owner), await aClient(owner, 'Ben')]
    const first = await aSession(owner, ana.id, { starts_at: '2026-11-03T16:00:00Z', time_zone: zone })
    const request = { client_ids: [ben.id], start: '2026-11-03T10:15:00' }
    expect(await schedule(owner, 'resolve', request, { max_moves: 0 })).toMatchObject({
      status: 'infeasible',
      infeasible_core: ['bookings:clinician'],
    })
    const { proposals } = await schedule(owner, 'resolve', request, { max_moves: 2 })
    const [offer] = proposals
    expect(offer!.moves).toEqual([
      {
        appointment_id: first.id,
        from: '2026-11-03T10:00:00',
        to: '2026-11-03T09:15:00',
        needs_consent_of: [`client:${ana.id}`],
      },
    ])
    const book = (accept_moves: string[]) =>
      schedule(owner, 'book', { client_ids: [ben.id] }, { proposal_id: offer!.id, accept_moves })
    await expect(book([])).rejects.toEqual(code('validation-failed'))
    expect((await sessionsOf(ana))[0]).toMatchObject({ starts_at: first.starts_at, version: 1 })
    expect(await book([first.id])).toMatchObject({ status: 'ok', moved: [{ id: first.id, version: 2 }] })
    expect((await sessionsOf(ana))[0]).toMatchObject({ starts_at: '2026-11-03T15:15:00.000Z' })
    expect((await sessionsOf(ben))[0]).toMatchObject({ starts_at: '2026-11-03T16:15:00.000Z' })
  })
  test('an appointment that changed since the offer is not moved', async () => {
    const [ana, ben] = [await aClient(owner), await aClient(owner, 'Ben')]
    const first = await aSession(owner, ana.id, { starts_at: '2026-11-03T16:00:00Z', time_zone: zone })
    const [offer] = (await schedule(owner, 'resolve', { client_ids: [ben.id], start: '2026-11-03T10:15:00' }, { max_moves: 2 }))
      .proposals
    await owner.call('updateSession', { params: { id: first.id }, body: { modality: 'video' }, ifMatch: 1 })
    const late = schedule(owner, 'book', { client_ids: [ben.id] }, { proposal_id: offer!.id, accept_moves: [first.id] })
    await expect(late).rejects.toEqual(code('conflict'))
    expect((await sessionsOf(ana))[0]).toMatchObject({ starts_at: first.starts_at, version: 2 })
  })
  test('one session moves to a time it was offered, near where it was', async () => {
    const ana = await aClient(owner)
    const session = await aSession(owner, ana.id, { starts_at: '2026-11-05T16:00:00Z', time_zone: zone })
    const { proposals } = await schedule(
      owner,
      'propose',
      { client_ids: [ana.id], session_id: session.id },
      { constraints: { days: ['TH', 'FR'], avoid: ['TH 09:00-11:00'] } },
    )
    const answer = await schedule(owner, 'book', { client_ids: [ana.id] }, { proposal_id: proposals[0]!.id })
    expect(answer.appointment).toEqual({ id: session.id, version: 2 })
    expect(await sessionsOf(ana)).toMatchObject([{ id: session.id, starts_at: '2026-11-05T17:00:00.000Z' }])
  })
})
