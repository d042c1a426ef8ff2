import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { renewZones } from '#service/booking/renew-zones.ts'
import { worldRules, zonesBy } from '#service/schedule/zone.ts'
import type { ZoneRules } from '#service/schedule/zone.ts'
import { aClient, anId, aSession, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { openStore } from '#service/store/open-store.ts'
import { schedule, start, zone } from './schedule-kit.ts'

let kit: ServiceKit
let client: ServiceClient
let ana: Client
const clock = { ...systemClock, now: () => start }
beforeEach(async () => {
  kit = await openKit({ clock })
  client = kit.client
  ana = await aClient(client)
})
afterEach(() => kit.close())

const all = async (of = ana): Promise<Session[]> =>
  (await client.call('listSessions', { query: { client_id: of.id, limit: 200 } })).data.data.toSorted((left, right) =>
    left.starts_at.localeCompare(right.starts_at),
  )
const starts = (sessions: readonly Session[]): string[] => sessions.map(({ starts_at }) => starts_at.slice(0, 16))

/** Tuesdays at 15:00 in Chicago, over the day in March on which the clocks go forward. */
const tuesdays = { wall_start: '2027-03-02T15:00:00', rrule: 'FREQ=WEEKLY;COUNT=4', exdates: [] as string[] }
const weekly = (more: object = {}) =>
  aSession(client, ana.id, { starts_at: '2027-03-02T21:00:00Z', time_zone: zone, recurrence: tuesdays, ...more })

describe('a series', () => {
  test('is one session for each time, at the same time on the clock, each knowing its place', async () => {
    const first = await weekly()
    const sessions = await all()
    expect(starts(sessions)).toEqual(['2027-03-02T21:00', '2027-03-09T21:00', '2027-03-16T20:00', '2027-03-23T20:00'])
    expect(sessions[0]).toEqual(first)
    for (const one of sessions)
      expect(one).toMatchObject({ series_id: first.series_id, occurrence_start: one.starts_at, recurrence: tuesdays })
  })
  test('that meets another session is refused whole, or made without that one, which it says', async () => {
    await aSession(client, (await aClient(client, 'Ben')).id, { starts_at: '2027-03-09T21:15:00Z' })
    await expect(weekly()).rejects.toEqual(expect.objectContaining({ code: 'double-booking' }))
    expect(await all()).toEqual([])
    const body = {
      client_id: ana.id,
      session_type: 'individual' as const,
      starts_at: '2027-03-02T21:00:00Z',
      duration_minutes: 50,
      time_zone: zone,
    }
    const first = (await client.call('createSession', { body: { ...body, recurrence: tuesdays, series_partial: 'allow' } })).data
    expect(first.recurrence?.exdates).toEqual(['2027-03-09T21:00:00.000Z'])
    expect(starts(await all())).toEqual(['2027-03-02T21:00', '2027-03-16T20:00', '2027-03-23T20:00'])
  })
  test('leaves out its exceptions, and one whose rule, clock or end is wrong is refused with its place', async () => {
    await weekly({ recurrence: { ...tuesdays, exdates: ['2027-03-16T20:00:00Z'] } })
    expect(starts(await all())).toEqual(['2027-03-02T21:00', '2027-03-09T21:00', '2027-03-23T20:00'])
    const refused = (pointer: string) =>
      expect.objectContaining({ code: 'validation-failed', fields: [expect.objectContaining({ pointer })] })
    const other = { starts_at: '2027-05-04T20:00:00Z' }
    const wall_start = '2027-05-04T15:00:00'
    await expect(weekly({ ...other, recurrence: { ...tuesdays, wall_start: '2027-05-04T16:00:00' } })).rejects.toEqual(
      refused('/recurrence/wall_start'),
    )
    for (const rrule of ['FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3', 'rubbish'])
      await expect(weekly({ ...other, recurrence: { ...tuesdays, wall_start, rrule } })).rejects.toEqual(
        refused('/recurrence/rrule'),
      )
  })
  test('is booked by an offer, all of it or what can be had of it, by choice', async () => {
    await aSession(client, (await aClient(client, 'Ben')).id, { starts_at: '2026-11-10T16:00:00Z' })
    const request = { client_ids: [ana.id], start: '2026-11-03T10:00:00', rrule: 'FREQ=WEEKLY;COUNT=3' }
    const checked = await schedule(client, 'check', request)
    expect(checked.status).toBe('partial')
    expect(checked.conflicts.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
      'clinician_double hard',
      'series_partial soft',
    ])
    await expect(schedule(client, 'book', request)).rejects.toEqual(expect.objectContaining({ code: 'double-booking' }))
    const booked = await schedule(client, 'book', request, { series_partial: 'allow' })
    expect(booked).toMatchObject({ status: 'partial', appointments: [{ version: 1 }, { version: 1 }] })
    expect(starts(await all())).toEqual(['2026-11-03T16:00', '2026-11-17T16:00'])
    const offered = await schedule(client, 'propose', { client_ids: [ana.id], rrule: 'FREQ=WEEKLY;COUNT=3' })
    expect(offered.proposals[0]!.occurrences).toHaveLength(3)
    const again = await schedule(client, 'book', { client_ids: [ana.id] }, { proposal_id: offered.proposals[0]!.id })
    expect(again.appointments).toHaveLength(3)
  })
})

describe('whoever comes with somebody else', () => {
  const double = expect.objectContaining({ code: 'double-booking' })
  /** Ana and Ben on a Tuesday; all others are of other clinicians. */
  async function aCouple() {
    const ben = await aClient(client, 'Ben')
    const request = { client_ids: [ana.id, ben.id], type: 'couple' as const, start: '2027-03-09T15:00:00' }
    const { appointment } = await schedule(client, 'book', request)
    return { ben, couple: appointment!.id, start: '2027-03-09T21:00:00Z' }
  }
  const elsewhere = (of: Client, starts_at: string, more: object = {}) =>
    aSession(client, of.id, { starts_at, clinician_id: anId(), ...more })

  test('is booked at no other place then, and a session is not moved onto theirs, nor theirs onto one', async () => {
    const { ben, couple, start: taken } = await aCouple()
    await expect(elsewhere(ben, taken)).rejects.toEqual(double)
    const other = await elsewhere(ben, '2027-03-10T21:00:00Z')
    const move = (id: string, starts_at: string) =>
      client.call('updateSession', { params: { id }, body: { starts_at }, ifMatch: '"1"' })
    await expect(move(other.id, taken)).rejects.toEqual(double)
    await expect(move(couple, other.starts_at)).rejects.toEqual(double)
    await elsewhere(await aClient(client, 'Eve'), taken)
  })
  test('has a series around it, or none', async () => {
    const { ben } = await aCouple()
    const recurrence = { time_zone: zone, recurrence: tuesdays }
    await expect(elsewhere(ben, '2027-03-02T21:00:00Z', recurrence)).rejects.toEqual(double)
    const series = await elsewhere(ben, '2027-03-02T21:00:00Z', { ...recurrence, series_partial: 'allow' })
    expect(series.recurrence?.exdates).toEqual(['2027-03-09T21:00:00.000Z'])
    const [first] = await all(ben)
    const body = { starts_at: '2027-03-02T22:00:00Z' }
    const call = { params: { id: first!.id }, body, ifMatch: first!.version }
    await client.call('updateFollowing', call)
    const back = { ...call, body: { starts_at: '2027-03-09T21:00:00Z' }, ifMatch: first!.version + 1 }
    await expect(client.call('updateFollowing', back)).rejects.toEqual(double)
  })
})

describe('this session and all after it', () => {
  const following = (session: Session, body: object) =>
    client.call('updateFollowing', { params: { id: session.id }, body, ifMatch: session.version }).then(({ data }) => data.data)

  test('move to another time and day together, on the clock, and are a series of their own from then on', async () => {
    await weekly()
    const [first, second] = await all()
    await following(second!, { starts_at: '2027-03-10T22:30:00Z', duration_minutes: 45 })
    const sessions = await all()
    expect(starts(sessions)).toEqual(['2027-03-02T21:00', '2027-03-10T22:30', '2027-03-17T21:30', '2027-03-24T21:30'])
    expect(sessions[0]).toEqual(first)
    expect(new Set(sessions.slice(1).map(({ series_id }) => series_id)).size).toBe(1)
    expect(sessions[1]!.series_id).not.toBe(first!.series_id)
    expect(sessions[1]).toMatchObject({
      duration_minutes: 45,
      version: 2,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', wall_start: '2027-03-10T16:30:00' },
    })
  })
  test('may take each other’s places', async () => {
    await weekly()
    await following((await all())[0]!, { starts_at: '2027-03-09T21:00:00Z' })
    expect(starts(await all())).toEqual(['2027-03-09T21:00', '2027-03-16T20:00', '2027-03-23T20:00', '2027-03-30T20:00'])
  })
  test('are called off together; those before stay', async () => {
    await weekly()
    expect(await following((await all())[2]!, { status: 'cancelled' })).toHaveLength(2)
    expect((await all()).map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'cancelled', 'cancelled'])
  })
  test('stay as they are where one of them would meet another session, or nobody said which version', async () => {
    await weekly()
    await aSession(client, (await aClient(client, 'Ben')).id, { starts_at: '2027-03-23T22:00:00Z' })
    const before = await all()
    await expect(following(before[0]!, { starts_at: '2027-03-02T23:00:00Z' })).rejects.toEqual(
      expect.objectContaining({ code: 'double-booking' }),
    )
    const far = following(before[0]!, { starts_at: '9999-12-31T23:59:00Z' })
    await expect(far).rejects.toEqual(expect.objectContaining({ code: 'validation-failed' }))
    const unsaid = client.call('updateFollowing', { params: { id: before[0]!.id }, body: { status: 'cancelled' } })
    await expect(unsaid).rejects.toEqual(expect.objectContaining({ code: 'version-required' }))
    expect(await all()).toEqual(before)
  })
  test('a session of no series has none after it', async () => {
    const one = await aSession(client, ana.id)
    await expect(following(one, { status: 'cancelled' })).rejects.toEqual(expect.objectContaining({ code: 'conflict' }))
  })
})

describe('when a country changes its clocks', () => {
  /** Chicago no longer goes forward in March. */
  const newRules: ZoneRules = {
    version: 'a later one',
    spans: (name, from, to) =>
      worldRules.spans(name, from, to).filter(({ at }) => name !== zone || at < Date.parse('2027-01-01')),
  }
  async function renew() {
    const db = await openStore(kit.store)
    try {
      return await renewZones(db, clock, zonesBy(newRules))
    } finally {
      await db.destroy()
    }
  }

  test('what was agreed for 15:00 stays at 15:00: moments ahead are worked out anew, once', async () => {
    await weekly()
    const before = await all()
    expect(await renew()).toEqual({ moved: [before[3]!.id, before[2]!.id], clashing: [] })
    const after = await all()
    expect(starts(after)).toEqual(['2027-03-02T21:00', '2027-03-09T21:00', '2027-03-16T21:00', '2027-03-23T21:00'])
    expect(after[2]).toMatchObject({ version: 2, occurrence_start: after[2]!.starts_at, ends_at: '2027-03-16T21:50:00.000Z' })
    expect(await renew()).toEqual({ moved: [], clashing: [] })
  })
  test('what was moved by hand stays where it was put, and what would meet another session stays and is named', async () => {
    await weekly()
    const before = await all()
    await client.call('updateSession', { params: { id: before[2]!.id }, body: { starts_at: '2027-03-17T17:00:00Z' }, ifMatch: 1 })
    await aSession(client, (await aClient(client, 'Ben')).id, { starts_at: '2027-03-23T21:10:00Z' })
    expect(await renew()).toEqual({ moved: [], clashing: [before[3]!.id] })
    expect(starts(await all()).slice(2)).toEqual(['2027-03-17T17:00', '2027-03-23T20:00'])
  })

  test('what was called off stays where it was when a country changes its clocks', async () => {
    await weekly()
    const third = (await all())[2]!
    await client.call('updateFollowing', { params: { id: third.id }, body: { status: 'cancelled' }, ifMatch: 1 })
    expect(await renew()).toEqual({ moved: [], clashing: [] })
  })
})
