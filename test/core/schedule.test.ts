import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import type { CoreKit, OpenCore } from './core-kit.ts'
import { coreKit, createProfile, isBehindHttp } from './core-kit.ts'

/** A Monday in November, early in the morning in Chicago. */
const clock = { ...systemClock, now: () => Date.parse('2026-11-02T12:00:00Z') }
const time_zone = 'America/Chicago'

let kit: CoreKit
let open: OpenCore
let client_id: string
beforeEach(async () => {
  kit = coreKit({ clock })
  open = await kit.open()
  await createProfile(open)
  client_id = (await open.call('clients.create', { display_name: 'Ana Lopez' })).id
  await open.settled()
})
afterEach(async () => {
  await open.core.close()
  kit.remove()
})

const code = (expected: string) => expect.objectContaining({ code: expected })
const what = { session_type: 'individual' as const, duration_minutes: 50, time_zone }
const ask = (mode: 'check' | 'propose' | 'resolve', more: Partial<MethodInput<'schedule.ask'>> = {}) =>
  open.call('schedule.ask', { mode, client_id, ...what, ...more })
const book = (starts: string[], more: Partial<MethodInput<'schedule.book'>> = {}) =>
  open.call('schedule.book', { client_id, ...what, starts, ...more })
const startsOf = ({ occurrences }: ScheduleProposal): string[] =>
  occurrences.map(({ start, utc_offset }) => new Date(`${start}${utc_offset}`).toISOString())
const listed = async () =>
  (await open.call('sessions.list', {}))
    .map(({ session }) => session)
    .toSorted((left, right) => left.starts_at.localeCompare(right.starts_at))

describe('the calendar', () => {
  test('offers times with reasons, keeps what was chosen, and the service then knows of it', async () => {
    const { proposals } = await ask('propose', { text: 'any Tuesday afternoon', rrule: 'FREQ=WEEKLY;COUNT=3' })
    expect(proposals[0]!.why).toContain('Requested: Tuesday.')
    const booked = await book(startsOf(proposals[0]!))
    expect(booked.map(({ starts_at }) => starts_at)).toEqual([
      '2026-11-03T18:00:00.000Z',
      '2026-11-10T18:00:00.000Z',
      '2026-11-17T18:00:00.000Z',
    ])
    expect(new Set(booked.map(({ series_id }) => series_id)).size).toBe(1)
    expect(await listed()).toHaveLength(3)
    await open.settled()
    const check = await ask('check', { start: '2026-11-10T12:30:00' })
    expect(check).toMatchObject({
      status: 'conflict',
      conflicts: expect.arrayContaining([expect.objectContaining({ with: { type: 'session', id: booked[1]!.id } })]),
    })
  })
  test('room is made by moving another session, which is named with the version it was seen in', async () => {
    const [first] = await book(['2026-11-03T16:00:00Z'])
    await open.settled()
    const [offer] = (await ask('resolve', { start: '2026-11-03T10:15:00', max_moves: 2 })).proposals
    expect(offer!.moves).toMatchObject([{ appointment_id: first!.id, to: '2026-11-03T09:15:00' }])
    const move = { session_id: first!.id, starts_at: '2026-11-03T15:15:00Z' }
    await expect(book(startsOf(offer!))).rejects.toEqual(code('double-booking'))
    await expect(book(startsOf(offer!), { moves: [{ ...move, version: 9 }] })).rejects.toEqual(code('stale-version'))
    expect(await listed()).toEqual([first])
    await book(startsOf(offer!), { moves: [{ ...move, version: 1 }] })
    await open.settled()
    expect(await open.call('outbox.list', {})).toEqual([])
    expect((await listed()).map(({ starts_at }) => starts_at)).toEqual(['2026-11-03T15:15:00.000Z', '2026-11-03T16:15:00.000Z'])
  })
  test('offline nothing can be asked, and booking goes on: what is kept here alone is in the way of itself', async () => {
    await open.call('settings.update', { service_address: 'https://practice.invalid/v1' })
    await expect(ask('propose')).rejects.toEqual(code('service-unreachable'))
    await book(['2026-11-02T14:00:00Z'])
    expect(await listed()).toHaveLength(1)
    await expect(book(['2026-11-02T14:30:00Z'])).rejects.toEqual(code('double-booking'))
  })
  test('a session the service has not been told of stands in the way of what it offers', async () => {
    await open.core.close()
    const service = kit.ports.openService
    open = await kit.open({
      openService: async (options) => {
        const real = await service(options)
        const isSession = (request: Request): boolean => new URL(request.url).pathname.endsWith('/sessions')
        return {
          ...real,
          fetch: (request) => (isSession(request) ? Promise.reject(new TypeError('cut off')) : real.fetch(request)),
        }
      },
    })
    const before = (await ask('propose')).proposals.flatMap(startsOf)
    await book([before[0]!])
    expect((await ask('propose')).proposals.flatMap(startsOf)).toEqual(before.slice(1))
  })
})

describe('working time', () => {
  // A practice accepts only its own clinicians; the embedded service accepts the therapist of the laptop.
  test.skipIf(isBehindHttp)(
    'is kept, bounds what is offered, and is told apart from the past when the service is away',
    async () => {
      expect(await open.call('schedule.workingTime', {})).toEqual({ hours: null, away: [], is_current: true })
      const weekly = [{ day: 'WE' as const, from: '13:00', to: '15:00' }]
      const hours = { time_zone, weekly, most_per_day: null, buffer_after: 0 }
      await open.call('schedule.setHours', hours)
      expect((await open.call('schedule.setHours', { ...hours, most_per_day: 4 })).hours).toMatchObject({
        version: 2,
        weekly,
        most_per_day: 4,
      })
      expect((await ask('propose')).proposals[0]!.occurrences[0]!.start).toBe('2026-11-04T13:00:00')
      const off = { time_zone, from: '2026-11-04T00:00:00', to: '2026-11-05T00:00:00', note: null }
      const { away } = await open.call('schedule.addTimeOff', off)
      expect((await ask('propose')).proposals[0]!.occurrences[0]!.start).toBe('2026-11-11T13:00:00')
      const known = await open.call('schedule.removeTimeOff', { id: away[0]!.id })
      expect(known.away).toEqual([])
      await open.call('settings.update', { service_address: 'https://practice.invalid/v1' })
      expect(await open.call('schedule.workingTime', {})).toEqual({ ...known, is_current: false })
    },
  )
})
