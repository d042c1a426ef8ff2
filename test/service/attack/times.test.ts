import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { LogFields } from '#base/log.ts'
import type { Availability } from '#contract/model/availability.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { readWall } from '#service/schedule/wall.ts'
import { insertAvailability } from '#service/store/schedule.ts'
import { updateClient } from '#service/store/clients.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { newRecord } from '#service/store/records.ts'
import type { Write } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { aClient, anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import type { StoreKind } from '../store-kit.ts'
import { date, isTime, moment, stringsIn, takes, wall } from './time-fields.ts'
import type { Field } from './time-fields.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const runs = isFull ? 2000 : 100
const noPostgres = leftOut('the store on PostgreSQL', await unmet('postgres'))

const operations = Object.entries(routes as Record<string, Route>)
const sent = operations.flatMap(([operation, { params, query, body }]) =>
  [params, query, body].flatMap((schema) =>
    schema === undefined ? [] : stringsIn(schema).map((field): Field => ({ ...field, path: `${operation} ${field.path}` })),
  ),
)
const times = sent.filter(isTime)

/** Like a time, and often none. */
const nearTime = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(moment, date, wall, '1900-01-01', '2200-12-31T23:59:59.999Z'),
      fc.nat(30),
      fc.constantFrom(...'0123456789ZzT:.-+ '),
    )
    .map(([time, at, letter]) => time.slice(0, at) + letter + time.slice(at + 1)),
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10)),
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString().slice(0, 19)),
  fc.string(),
)

describe('every time a caller may send', () => {
  test('is found by walking the contract', () => {
    expect(times.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'listClients /updated_since',
        'createClient /date_of_birth',
        'createSession /recurrence/wall_start',
        'giveConsent /given_at',
        'putAvailability /from',
        'putAvailability /valid_to',
        'schedule /window/from',
        'schedule /request/exdates/0',
        'readAnalytics /to',
        'listAuditEvents /from',
      ]),
    )
    const loose = sent.filter(
      (field) => /_(?:at|on|since|of_birth)$|_date/.test(field.path) && !isTime(field) && takes(field.schema, 'x'),
    )
    expect(loose.map(({ path }) => path)).toEqual([])
  })

  test.each(times.map((field) => [field.path, field.schema] as const))(
    '%s: what is taken is a time of 1900 to 2200',
    (_, schema) => {
      const isWall = takes(schema, wall)
      expect([takes(schema, moment), takes(schema, date), isWall].filter(Boolean)).toHaveLength(1)
      for (const year of ['0000', '0001', '1899', '2201', '9999'])
        for (const time of [moment, date, wall]) expect(takes(schema, year + time.slice(4))).toBe(false)
      for (const year of ['1900', '2200'])
        expect([moment, date, wall].some((time) => takes(schema, year + time.slice(4)))).toBe(true)
      for (const time of ['2026-02-30', '2026-02-30T09:00', '2026-02-30T09:00:00Z', `${wall}+01:00`, '2026-03-02T24:00', ''])
        expect(takes(schema, time)).toBe(false)
      fc.assert(
        fc.property(nearTime, (text) => {
          if (!takes(schema, text)) return
          const at = isWall ? readWall(text) : Date.parse(text)
          expect(new Date(at).getUTCFullYear()).toBeGreaterThanOrEqual(1900)
          expect(new Date(at).getUTCFullYear()).toBeLessThanOrEqual(2200)
        }),
        { numRuns: runs },
      )
    },
  )

  test('that is no wall time is never read as a number', () => {
    fc.assert(
      fc.property(nearTime, (text) => {
        try {
          expect(Number.isFinite(readWall(text))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: runs },
    )
  })
})

/** Written by people and by clocks before years were bounded: shown as they are, so that somebody can correct them. */
test('every date a person typed is still answered, whatever year it has', () => {
  const shown = operations.flatMap(([operation, { answers }]) =>
    Object.values(answers).flatMap((schema) =>
      schema === null ? [] : stringsIn(schema).map((field) => ({ ...field, operation })),
    ),
  )
  const typed = shown.filter(({ path }) => /\/(?:date_of_birth|starts_at|starts_on|ends_on|given_at)$/.test(path))
  expect(typed.length).toBeGreaterThan(5)
  for (const { schema, path } of typed)
    expect([path, takes(schema, '0198-05-01') || takes(schema, '0198-05-01T00:00:00Z')]).toEqual([path, true])
})

const stores: StoreKind[] = noPostgres ? ['sqlite'] : ['sqlite', 'postgres']
describe.each(stores)('a service on %s', (kind) => {
  let kit: ServiceKit
  const logged: [string, LogFields | undefined][] = []
  const log = {
    ...silentLog,
    warn: (event: string, fields?: LogFields) => void logged.push([event, fields]),
    error: (event: string, fields?: LogFields) => void logged.push([event, fields]),
  }
  let client: string
  beforeAll(async () => {
    kit = await openKit({ log, clock: { now: () => Date.parse('2026-03-02T09:00:00Z'), elapsed: () => performance.now() } }, kind)
    client = (await aClient(kit.client)).id
  })
  afterAll(() => kit.close())

  /** As an earlier version of the service may have stored it. */
  async function plant(write: (db: Write, practice: string) => Promise<void>): Promise<void> {
    const [practice] = await kit.ask<{ id: string }>('select id from practices')
    const db = await openStore(kit.store)
    await inPractice(db, practice!.id, (into) => write(into, practice!.id))
    await db.destroy()
  }

  const propose = (request: object = {}) =>
    kit.fetch('POST', '/v1/ai/schedule', {
      mode: 'propose',
      request: { client_ids: [client], type: 'individual', duration_minutes: 50, tzid: 'Europe/Berlin', ...request },
    })
  const closure = { kind: 'closure', time_zone: 'Europe/Berlin', from: '2026-12-24T00:00', to: '2026-12-27T00:00' }
  const refusedAt = async (answer: Promise<Response>): Promise<unknown> => {
    const response = await answer
    const problem = (await response.json()) as { errors?: { pointer: string; message: string }[] }
    return [response.status, ...(problem.errors ?? []).map(({ pointer }) => pointer)]
  }

  test('refuses a closure with a Z, and says what it takes instead', async () => {
    const response = await kit.fetch('PUT', `/v1/availability/${anId()}`, { ...closure, from: '2026-12-24T00:00:00Z' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '/from', message: 'a time on the clock of its time zone, without Z or offset: 2026-11-24T15:00' }],
    })
    expect((await propose()).status).toBe(200)
  })

  test('leaves out a stored closure it cannot read, names it in the log, and goes on', async () => {
    const bad: Availability = {
      ...closure,
      kind: 'closure',
      note: 'Secret',
      status: 'active',
      ...newRecord(newId(), '2026-01-01T00:00:00.000Z'),
      from: '2026-12-24T00:00:00Z',
    }
    const good = anId()
    await plant((db, practice) => insertAvailability(db, practice, bad))
    expect((await kit.fetch('PUT', `/v1/availability/${good}`, closure)).status).toBe(201)
    logged.length = 0
    const answer = await propose()
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { proposals: unknown[] }).proposals.length).toBeGreaterThan(0)
    const list = (await (await kit.fetch('GET', '/v1/availability')).json()) as { data: { id: string }[] }
    expect(list.data.map(({ id }) => id)).toEqual([good])
    expect(logged).toEqual([
      ['schedule.unreadable', { kind: 'availability', id: bad.id }],
      ['contract.record', { operation: 'listAvailability', id: bad.id }],
    ])
    expect(JSON.stringify(logged)).not.toContain('Secret')
    // Put in order by whoever knows it.
    expect((await kit.fetch('PUT', `/v1/availability/${bad.id}`, closure, { 'If-Match': '*' })).status).toBe(200)
    expect((await kit.fetch('GET', `/v1/availability/${bad.id}`)).status).toBe(200)
  })

  test('shows a client whose stored date of birth has an impossible year, so that it can be corrected', async () => {
    const mistyped = await aClient(kit.client)
    await plant((db, practice) => updateClient(db, practice, { ...mistyped, date_of_birth: '0198-05-01' }))
    const shown = await kit.fetch('GET', `/v1/clients/${mistyped.id}`)
    expect([shown.status, await shown.json()]).toMatchObject([200, { date_of_birth: '0198-05-01' }])
    const patch = await kit.fetch('PATCH', `/v1/clients/${mistyped.id}`, { date_of_birth: '1980-05-01' }, { 'If-Match': '*' })
    expect(patch.status).toBe(200)
  })

  test('refuses years before 1900 and after 2200 wherever they are sent', async () => {
    const session = { client_id: client, session_type: 'individual', starts_at: moment, duration_minutes: 50 }
    const of = (path: string) => refusedAt(kit.fetch('GET', path))
    expect(await refusedAt(kit.fetch('POST', '/v1/clients', { display_name: 'A', date_of_birth: '0198-05-01' }))).toEqual([
      422,
      '/date_of_birth',
    ])
    expect(await refusedAt(kit.fetch('POST', '/v1/sessions', { ...session, starts_at: '9999-12-31T23:59:59Z' }))).toEqual([
      422,
      '/starts_at',
    ])
    expect(await of('/v1/clients?updated_since=0001-01-01T00:00:00Z')).toEqual([422, '/updated_since'])
    expect(await of('/v1/analytics?from=0001-01-01&to=0001-02-01')).toEqual([422, '/from', '/to'])
    expect(await of('/v1/audit-events?from=9999-01-01T00:00:00Z')).toEqual([422, '/from'])
    const cursor = Buffer.from(JSON.stringify(['created_at', '9999-01-01T00:00:00.000Z', anId()])).toString('base64url')
    expect(await of(`/v1/clients?cursor=${cursor}`)).toEqual([422, '/cursor'])
  })

  test('refuses a series that would go on beyond the year 2200', async () => {
    const rrule = 'FREQ=YEARLY;COUNT=300'
    const recurrence = { rrule, exdates: [], wall_start: '2026-03-02T09:00:00' }
    const session = { client_id: client, session_type: 'individual', starts_at: moment, duration_minutes: 50, recurrence }
    expect(await refusedAt(kit.fetch('POST', '/v1/sessions', session))).toEqual([422, '/recurrence/rrule'])
    expect(await refusedAt(propose({ rrule }))).toEqual([422, '/request/rrule'])
  })
})
