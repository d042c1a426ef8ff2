import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import type { Client } from '#contract/model/client.ts'
import type { Authorisation, Payer } from '#contract/model/payer.ts'
import type { Role } from '#contract/rest/route.ts'
import { authorisationFacts } from '#service/booking/load-world.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import type { PayerServer } from '../../support/payer-server-scripted.ts'
import { activePlan, startPayerServer } from '../../support/payer-server-scripted.ts'
import { anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'

interface Somebody {
  readonly id: string
  readonly key: string
}

let payer: PayerServer
let kit: ServiceKit
let owner: Somebody
beforeAll(async () => {
  payer = await startPayerServer()
  payer.script([{ body: activePlan }])
  const provider = { npi: '1999999984', organization_name: 'Quiet Street Practice' }
  kit = await openKit({
    caller: 'api-keys',
    plan: 'enterprise',
    payer: () => ({ kind: 'stedi', address: payer.address, key: 'k', provider }),
  })
  owner = { id: '', key: kit.ownerKey! }
})
afterAll(async () => {
  await kit.close()
  await payer.close()
})

async function ask<Answer>(who: Somebody, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await kit.fetch(method, path, body, { Authorization: `Bearer ${who.key}`, ...headers })
  return { status: response.status, body: (await response.json()) as Answer & { code?: string } }
}

async function hire(role: Role, mode: 'live' | 'test' = 'live'): Promise<Somebody> {
  const id = await kit.employ([role])
  const { body } = await ask<ApiKeyWithSecret>(owner, 'POST', '/v1/api-keys', { name: role, roles: [role], person_id: id, mode })
  return { id, key: body.secret! }
}

async function aClientOf(clinician_id: string | null, payer_id = '87726', member_id = 'W1'): Promise<Client> {
  const insurance = { payer_id, payer_name: 'Northlake', member_id, group_number: null, relationship: 'self' }
  const person = { display_name: 'Ana', given_name: 'Ana', family_name: 'López', date_of_birth: '1990-01-31' }
  return (await ask<Client>(owner, 'POST', '/v1/clients', { ...person, clinician_id, insurance })).body
}

test('the desk and the biller may ask payers and read what they said, a clinician about their own clients, an auditor not', async () => {
  const [clinician, other] = [await hire('clinician'), await hire('clinician')]
  const client = await aClientOf(clinician.id)
  const statusOf = async (who: Somebody) => {
    const body = { client_id: client.id, payer_id: '87726' }
    const checked = await ask<{ eligibility_id: string }>(who, 'POST', '/v1/ai/insurance', body)
    const listed = await ask<{ data: unknown[] }>(who, 'GET', `/v1/coverage?client_id=${client.id}`)
    return [checked.status, listed.status, listed.body.data?.length]
  }
  expect(await statusOf(await hire('front_desk'))).toEqual([200, 200, 1])
  expect(await statusOf(await hire('biller'))).toEqual([200, 200, 1])
  expect(await statusOf(clinician)).toEqual([200, 200, 1])
  expect(await statusOf(other)).toEqual([404, 200, 0])
  expect(await statusOf(await hire('auditor'))).toEqual([403, 403, undefined])
  const [{ eligibility_id: id }] = (await ask<{ data: { eligibility_id: string }[] }>(owner, 'GET', '/v1/coverage')).body
    .data as [{ eligibility_id: string }]
  for (const path of [`/v1/coverage/${id}`, `/v1/coverage/${id}/raw`]) {
    expect((await ask(clinician, 'GET', path)).status).toBe(200)
    expect((await ask(other, 'GET', path)).status).toBe(404)
  }
})

test('whoever may read what a payer said may fetch it as what came of asking, and nobody else', async () => {
  const client = await aClientOf((await hire('clinician')).id, '87726', 'W2')
  const atOnce = { Prefer: 'respond-async' }
  const body = { client_id: client.id, payer_id: '87726', max_age_hours: 0 }
  for (const who of [await hire('front_desk'), await hire('biller'), owner]) {
    const started = await ask<{ id: string }>(who, 'POST', '/v1/ai/insurance', body, atOnce)
    expect(started.status).toBe(202)
    const path = `/v1/operations/${started.body.id}`
    const look = () => ask<{ status: string; result: { client_id: string } | null }>(who, 'GET', path)
    let found = await look()
    while (['queued', 'running'].includes(found.body.status)) found = await look()
    expect([found.status, found.body.result]).toEqual([200, expect.objectContaining({ client_id: client.id })])
    const events = await kit.fetch('GET', `${path}/events`, undefined, { Authorization: `Bearer ${who.key}` })
    expect([events.status, await events.text()]).toEqual([200, expect.stringContaining('succeeded')])
    expect((await ask(await hire('clinician'), 'GET', path)).status).toBe(404)
  }
})

test('an answer that was given before is not shown again once the client is a colleague’s', async () => {
  const [clinician, other] = [await hire('clinician'), await hire('clinician')]
  const client = await aClientOf(clinician.id, '87726', 'W3')
  const key = { 'Idempotency-Key': anId() }
  const verify = (headers = {}) =>
    ask(clinician, 'POST', '/v1/ai/insurance', { client_id: client.id, payer_id: '87726' }, headers)
  expect([(await verify()).status, (await verify(key)).status, (await verify(key)).status]).toEqual([200, 200, 200])
  await ask(owner, 'PATCH', `/v1/clients/${client.id}`, { clinician_id: other.id }, { 'If-Match': '*' })
  expect((await verify(key)).status).toBe(404)
})

test('who asked about nobody’s client reads the answer; other clinicians do not', async () => {
  const [clinician, other] = [await hire('clinician'), await hire('clinician')]
  const subscriber = { member_id: 'W7', given_name: 'Bo', family_name: 'Lee', date_of_birth: '1980-02-03' }
  const { body } = await ask<{ eligibility_id: string }>(clinician, 'POST', '/v1/ai/insurance', { payer_id: '87726', subscriber })
  expect((await ask(clinician, 'GET', `/v1/coverage/${body.eligibility_id}`)).status).toBe(200)
  expect((await ask(other, 'GET', `/v1/coverage/${body.eligibility_id}`)).status).toBe(404)
})

test('a test key reaches the sandbox alone, and no real client there', async () => {
  const tester = await hire('owner', 'test')
  const asked = payer.asked.length
  const real = await aClientOf(null)
  const member = { member_id: 'AWTEST-ACTIVE', given_name: 'A', family_name: 'B', date_of_birth: '1990-01-01' }
  const sandboxed = await ask<{ source: string }>(tester, 'POST', '/v1/ai/insurance', {
    payer_id: 'AWSANDBOX',
    subscriber: member,
  })
  expect([sandboxed.status, sandboxed.body.source]).toEqual([200, 'sandbox'])
  const again = await ask<{ source: string; age_seconds: number }>(tester, 'POST', '/v1/ai/insurance', {
    payer_id: 'AWSANDBOX',
    subscriber: member,
  })
  expect(again.body).toMatchObject({ source: 'sandbox', age_seconds: expect.any(Number) })
  expect((await ask(tester, 'POST', '/v1/ai/insurance', { payer_id: '87726', client_id: real.id })).status).toBe(422)
  expect((await ask(tester, 'POST', '/v1/ai/insurance', { payer_id: 'AWSANDBOX', client_id: real.id })).status).toBe(422)
  expect(
    (await ask(tester, 'POST', '/v1/ai/insurance', { payer_id: 'AWSANDBOX', subscriber: { ...member, member_id: 'W1' } })).status,
  ).toBe(422)
  expect((await ask(owner, 'POST', '/v1/ai/insurance', { payer_id: '87726', subscriber: member })).status).toBe(422)
  expect((await ask<{ engines: object }>(tester, 'GET', '/v1')).body.engines).toMatchObject({
    payer: { name: 'sandbox', ready: true },
  })
  expect((await ask<{ engines: object }>(owner, 'GET', '/v1')).body.engines).toMatchObject({
    payer: { name: 'stedi', ready: true },
  })
  expect(payer.asked).toHaveLength(asked)
})

test('what a payer needs and nobody gave is named', async () => {
  const about = { given_name: 'Bo', family_name: 'Lee', date_of_birth: '1980-02-03' }
  const pointers = async (body: object) => {
    const answer = await ask<{ errors: { pointer: string }[] }>(owner, 'POST', '/v1/ai/insurance', { payer_id: '87726', ...body })
    return [answer.status, answer.body.errors?.map(({ pointer }) => pointer)]
  }
  expect(await pointers({})).toEqual([422, ['/subscriber']])
  const { body: bare } = await ask<Client>(owner, 'POST', '/v1/clients', { display_name: 'Bo' })
  expect(await pointers({ client_id: bare.id })).toEqual([422, ['/subscriber']])
  const provider = { npi: '1999999985', organization_name: 'P' }
  expect(await pointers({ subscriber: { member_id: 'W1', ...about }, provider })).toEqual([422, ['/provider/npi']])
})

test('what is typed from a card finds the id the gateway wants', async () => {
  const id = anId()
  const draft = {
    payer_id: 'NLH',
    name: 'Northlake Health',
    typed_names: ['north-lake', 'Señor Northlake'],
    trading_partner_ids: ['12345'],
  }
  const made = await ask<Payer>(owner, 'PUT', `/v1/payers/${id}`, draft)
  expect([made.status, made.body]).toMatchObject([201, { ...draft, version: 1 }])
  const subscriber = { member_id: 'W9', given_name: 'Bo', family_name: 'Lee', date_of_birth: '1980-02-03' }
  for (const typed of ['NLH', 'north-lake', 'SENOR  northlake', '12345']) {
    await ask(owner, 'POST', '/v1/ai/insurance', { payer_id: typed, subscriber, max_age_hours: 0 })
    expect(payer.asked.at(-1)?.body).toMatchObject({ tradingPartnerServiceId: '12345' })
  }
  const desk = await hire('front_desk')
  const found = async (q: string) =>
    (await ask<{ data: Payer[] }>(desk, 'GET', `/v1/payers?q=${q}`)).body.data.map((one) => one.id)
  expect([await found('north'), await found('senor'), await found('nobody'), await found('%25')]).toEqual([[id], [id], [], []])
  expect((await ask(desk, 'PUT', `/v1/payers/${id}`, draft)).status).toBe(428)
  expect((await ask(desk, 'PUT', `/v1/payers/${id}`, { ...draft, name: 'Northlake' }, { 'If-Match': '"1"' })).body).toMatchObject(
    {
      name: 'Northlake',
      version: 2,
    },
  )
  expect((await ask(desk, 'PUT', `/v1/payers/${anId()}`, draft)).body).toMatchObject({ code: 'already-exists' })
  expect((await ask(await hire('clinician'), 'PUT', `/v1/payers/${id}`, draft)).status).toBe(403)
})

test('an authorisation counts down with the sessions that took place', async () => {
  const clinician = await hire('clinician')
  const client = await aClientOf(clinician.id)
  const draft = {
    client_id: client.id,
    payer_id: '87726',
    number: 'A-1',
    visits_approved: 4,
    visits_used_before: 1,
    starts_on: '2026-03-01',
    ends_on: '2026-03-31',
    cpt_codes: ['90837'],
  }
  const { status, body } = await ask<Authorisation>(clinician, 'POST', '/v1/authorisations', draft, { 'Idempotency-Key': 'a' })
  expect([status, body]).toMatchObject([201, { ...draft, visits_used: 1, visits_left: 3 }])
  const session = (starts_at: string, more: object = {}) =>
    ask(owner, 'POST', '/v1/sessions', {
      client_id: client.id,
      session_type: 'individual',
      starts_at,
      duration_minutes: 50,
      status: 'completed',
      time_zone: 'America/Chicago',
      cpt_code: '90837',
      ...more,
    })
  await session('2026-03-10T15:00:00Z')
  // The last day where it took place, the first of the next month in UTC.
  await session('2026-04-01T02:00:00Z')
  await session('2026-04-01T15:00:00Z')
  await session('2026-03-12T15:00:00Z', { cpt_code: '90834' })
  await session('2026-03-13T15:00:00Z', { status: 'no_show' })
  const path = `/v1/authorisations/${body.id}`
  expect((await ask(clinician, 'GET', path)).body).toMatchObject({ visits_used: 3, visits_left: 1 })
  expect((await ask(clinician, 'POST', '/v1/authorisations', draft, { 'Idempotency-Key': 'a' })).body).toMatchObject({
    id: body.id,
  })
  const db = await openStore(kit.store)
  const [{ practice_id }] = (await db.selectFrom('practices').select('id as practice_id').execute()) as [{ practice_id: string }]
  const facts = await inPractice(db, practice_id, (write) => authorisationFacts(write, practice_id, client.id))
  await db.destroy()
  expect(facts).toMatchObject({ payer_id: '87726', required: 'unknown', authorisations: [{ id: body.id, visits_left: 1 }] })
  expect(facts.authorisations[0]?.covers('2026-03-31', '90837')).toBe(true)
  expect([facts.authorisations[0]?.covers('2026-03-31', null), facts.authorisations[0]?.covers('2026-04-01', '90837')]).toEqual([
    false,
    false,
  ])
  const stranger = await hire('clinician')
  expect((await ask(stranger, 'GET', path)).status).toBe(404)
  expect((await ask(clinician, 'PATCH', path, { visits_approved: 3 })).status).toBe(428)
  const changed = await ask(clinician, 'PATCH', path, { visits_approved: 3 }, { 'If-Match': '"1"' })
  expect(changed.body).toMatchObject({ version: 2, visits_left: 0, number: 'A-1' })
  expect((await ask(clinician, 'PATCH', path, { ends_on: '2026-02-01' }, { 'If-Match': '"2"' })).status).toBe(422)
  expect((await ask<{ data: unknown[] }>(stranger, 'GET', '/v1/authorisations')).body.data).toEqual([])
})

test('every question and every reading is in the audit log, without a word about the member', async () => {
  const client = await aClientOf(null)
  await ask(owner, 'POST', '/v1/ai/insurance', { client_id: client.id, payer_id: '87726', max_age_hours: 0 })
  const { body } = await ask<{ data: { operation: string; entities: string[] }[] }>(owner, 'GET', '/v1/audit-events?limit=200')
  const events = body.data.filter(({ operation, entities }) => operation === 'verifyInsurance' && entities.includes(client.id))
  expect(events.length).toBeGreaterThanOrEqual(2)
  expect(JSON.stringify(body)).not.toMatch(/W1"|López|Northlake/)
})
