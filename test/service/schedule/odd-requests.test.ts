import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anId, aClient, aSession, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { zone } from './schedule-kit.ts'

/** A slice of it in every run; far more with `npm run faults`. */
const runs = process.env['AFTERWORD_FAULTS'] === 'full' ? 5000 : 150

let kit: ServiceKit
let ids: string[]
let sessions: string[]
beforeAll(async () => {
  kit = await openKit()
  const clients = [await aClient(kit.client), await aClient(kit.client, 'Ben')]
  ids = clients.map(({ id }) => id)
  sessions = [(await aSession(kit.client, ids[0]!)).id]
  await kit.client.call('putRoom', { params: { id: anId() }, body: { name: 'One', capacity: 2 } })
})
afterAll(() => kit.close())

const walls = fc.constantFrom(
  '0000-01-01T00:00:00',
  '0001-12-31T23:59:59',
  '1883-11-18T12:03:58',
  '1997-09-02T09:00:00',
  '2026-11-01T01:30:00',
  '2027-03-14T02:30:00',
  '2027-06-01T10:00:00.123456',
  '2035-05-15T10:00:00',
  '2035-05-20T10:00:00',
  '2099-02-28T23:45:00',
  '9999-12-31T23:59:59',
)
const zones = fc.constantFrom(
  zone,
  'UTC',
  'Pacific/Apia',
  'Africa/Monrovia',
  'Asia/Kathmandu',
  'Antarctica/Troll',
  'Etc/GMT+12',
  'america/new_york',
)
const rules = fc.constantFrom(
  'FREQ=WEEKLY;COUNT=3',
  'FREQ=WEEKLY;BYDAY=TU;COUNT=400',
  'FREQ=DAILY;COUNT=399',
  'FREQ=DAILY;UNTIL=99991231',
  'FREQ=DAILY;UNTIL=00000101T000000Z',
  'FREQ=DAILY;UNTIL=20261399',
  'FREQ=YEARLY;INTERVAL=9999;COUNT=400',
  'FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=1;BYDAY=MO;COUNT=9',
  'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=12',
  'FREQ=SECONDLY;COUNT=400',
  'FREQ=WEEKLY;COUNT=1;BYSETPOS=-1;BYDAY=MO,TU',
)
const maybe = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined, freq: 2 })

test('however odd a request is, it is answered, or refused with what is wrong in it', async () => {
  const request = fc.record({
    client_ids: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 2 }),
    type: fc.constantFrom('individual', 'group', 'couple'),
    duration_minutes: fc.constantFrom(5, 50, 1440),
    modality: fc.constantFrom('in_person', 'video'),
    tzid: zones,
    start: maybe(walls),
    rrule: maybe(rules),
    moves_session: fc.boolean(),
    exdates: maybe(fc.array(walls, { maxLength: 2 })),
  })
  const body = fc.record({
    mode: fc.constantFrom('check', 'propose', 'resolve', 'book'),
    request,
    window: maybe(fc.record({ from: walls, to: walls })),
    constraints: maybe(
      fc.record({
        buffer_after: fc.constant(240),
        earliest: fc.constantFrom('00:00', '23:59'),
        avoid: fc.array(fc.constantFrom('MO', '12:00-13:00', '2026-13-40', '24:00-25:00', ''), { maxLength: 2 }),
      }),
    ),
    text: maybe(
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constantFrom('not before 99', 'between 25 and 3', 'next week tomorrow', 'after 12 am'),
      ),
    ),
    max_moves: fc.integer({ min: 0, max: 3 }),
    series_partial: fc.constantFrom('refuse', 'allow'),
    proposal_id: maybe(fc.constant(anId())),
  })
  await fc.assert(
    fc.asyncProperty(body, async ({ request: { client_ids, moves_session, ...rest }, ...more }) => {
      const clients = client_ids.map((index) => ids[index] ?? anId())
      const asked = { ...more, request: { ...rest, client_ids: clients, ...(moves_session ? { session_id: sessions[0] } : {}) } }
      const response = await kit.fetch('POST', '/v1/ai/schedule', asked)
      expect([200, 404, 409, 422]).toContain(response.status)
    }),
    { numRuns: runs },
  )
})
