import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Analytics } from '#contract/model/analytics.ts'
import { figureDefinitions } from '#contract/model/analytics.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import type { Client } from '#contract/model/client.ts'
import type { Role } from '#contract/rest/route.ts'
import { anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'

interface Somebody {
  readonly id: string
  readonly key: string
}

let kit: ServiceKit
let owner: Somebody
/** Twelve clients with a session each, and three of a supervisee with two. */
let many: Somebody
let few: Somebody
let supervisor: Somebody

beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise' })
  owner = { id: '', key: kit.ownerKey! }
  many = await hire('clinician')
  supervisor = await hire('supervisor')
  few = await hire('clinician', supervisor.id)
  for (let index = 0; index < 12; index += 1) await meet(many, 2 + index, 1, index === 0 ? 'no_show' : 'completed')
  for (let index = 0; index < 3; index += 1) await meet(few, 2 + index, 2, 'completed')
})
afterAll(() => kit.close())

async function ask<Answer>(who: Somebody, method: string, path: string, body?: unknown) {
  const response = await kit.fetch(method, path, body, { Authorization: `Bearer ${who.key}` })
  return { status: response.status, body: (await response.json()) as Answer }
}

async function hire(role: Role, supervisor_id: string | null = null): Promise<Somebody> {
  const id = anId()
  await ask(owner, 'POST', '/v1/staff', { id, name: role, roles: [role], supervisor_id })
  const { body } = await ask<ApiKeyWithSecret>(owner, 'POST', '/v1/api-keys', { name: role, roles: [role], person_id: id })
  return { id, key: body.secret! }
}

async function meet(clinician: Somebody, day: number, sessions: number, status: string): Promise<void> {
  const made = await ask<Client>(owner, 'POST', '/v1/clients', { display_name: 'A', clinician_id: clinician.id })
  for (let index = 0; index < sessions; index += 1) {
    const starts_at = new Date(Date.UTC(2026, 2, day, 10 + index * 2)).toISOString()
    const body = {
      client_id: made.body.id,
      clinician_id: clinician.id,
      session_type: 'individual',
      starts_at,
      duration_minutes: 60,
      status,
    }
    expect((await ask(owner, 'POST', '/v1/sessions', body)).status).toBe(201)
  }
}

const read = (who: Somebody, more = '') =>
  ask<Analytics>(who, 'GET', `/v1/analytics?from=2026-03-02&to=2026-03-15&group_by=week${more}`)
const heldBy = async (who: Somebody, more = '') => (await read(who, more)).body.totals.sessions_by_status?.['completed']

test('everybody counts what they reach: the practice, their own, their own and their supervisees’', async () => {
  expect(await heldBy(owner)).toBe(17)
  expect(await heldBy(many)).toBe(11)
  expect(await heldBy(few)).toBe(6)
  expect(await heldBy(supervisor)).toBe(6)
  expect(await heldBy(owner, `&clinician_id=${few.id}`)).toBe(6)
  expect(await heldBy(supervisor, `&clinician_id=${few.id}`)).toBe(6)
  expect((await read(many, `&clinician_id=${few.id}`)).status).toBe(404)
  expect((await read(supervisor, `&clinician_id=${many.id}`)).status).toBe(404)
})

test('the desk sees how time is used, the biller what can be billed, and both which figures they do not see', async () => {
  const desk = (await read(await hire('front_desk'))).body
  expect(desk.totals).toMatchObject({
    hours: 17,
    no_show_rate: 1 / 18,
    notes_due: null,
    clients_active: null,
    quota_used_today: null,
  })
  expect(desk.withheld).toEqual(expect.arrayContaining(['notes_due', 'clients_active', 'median_hours_to_sign']))
  const biller = (await read(await hire('biller'))).body
  expect(biller.totals).toMatchObject({ notes_due: 17, clients_new: null, no_show_rate: null })
  expect(biller.withheld).toEqual(expect.arrayContaining(['clients_new', 'no_show_rate']))
})

test('who may see no client is shown no number that fewer than eleven stand behind, nor one that gives it away', async () => {
  const { body } = await read(await hire('auditor'))
  // Fourteen clients came, one did not: the one alone is not shown, and the rate would tell it.
  expect(body.totals.sessions_by_status).toMatchObject({ completed: 17, no_show: null, cancelled: 0 })
  expect(body.totals).toMatchObject({ hours: 17, no_show_rate: null, clients_active: 14 })
  expect(body.totals.suppressed).toEqual(expect.arrayContaining(['sessions_by_status.no_show', 'no_show_rate']))
  // Nine clients in the first week and five in the second: with either one the other could be worked out.
  expect(
    body.series.map(({ figures }) => [figures.sessions_by_status?.['completed'], figures.hours, figures.clients_active]),
  ).toEqual([
    [null, null, null],
    [null, null, null],
  ])
  const ofFew = await read(await hire('auditor'), `&clinician_id=${few.id}`)
  expect(ofFew.body.totals).toMatchObject({
    hours: null,
    clients_active: null,
    sessions_by_status: { completed: null, proposed: 0 },
  })
  expect((await read(owner)).body.totals).not.toHaveProperty('suppressed')
})

test('every figure comes with what it counts', async () => {
  const { body } = await read(owner)
  expect(Object.keys(body.definitions ?? {})).toEqual(Object.keys(figureDefinitions))
  expect(body).toMatchObject({
    time_zone: 'UTC',
    withheld: [],
    totals: { recording_minutes: null, median_hours_to_sign: null, transcription_minutes: 0 },
  })
  expect(body.totals.quota_used_today).toBeGreaterThan(0)
  expect(body.series[0]?.figures.quota_used_today).toBeNull()
})

test('an interval that ends before it begins, or is cut into thousands, is refused', async () => {
  const status = async (query: string) => (await ask(owner, 'GET', `/v1/analytics?${query}`)).status
  expect(await status('from=2026-03-02&to=2026-03-01')).toBe(422)
  expect(await status('from=1000-01-01&to=2026-03-01&group_by=day')).toBe(422)
  expect(await status('from=2026-01-01&to=2026-12-31&group_by=month&time_zone=Nowhere')).toBe(422)
  expect(await status('from=1899-12-31&to=1900-01-02')).toBe(422)
  expect(await status('from=1900-01-01&to=1900-01-02')).toBe(200)
  expect(await status('from=2200-12-30&to=2200-12-31&time_zone=America/New_York')).toBe(200)
})

test('psychotherapy notes are counted nowhere', async () => {
  const before = (await read(owner)).body
  const made = await ask<Client>(owner, 'POST', '/v1/clients', { display_name: 'B', clinician_id: many.id })
  const path = `/v1/psychotherapy-notes/${anId()}`
  const written = await ask(many, 'PUT', path, { client_id: made.body.id, session_id: null, text: 'Mine alone.' })
  expect(written.status).toBe(201)
  const after = (await read(owner)).body
  const { quota_used_today: _used, ...counted } = after.totals
  const { quota_used_today: _before, ...first } = before.totals
  expect(counted).toEqual(first)
})
