import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lineLog } from '#base/log.ts'
import type { Client } from '#contract/model/client.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import type { PayerServer } from '../../support/payer-server-scripted.ts'
import { activePlan, startPayerServer } from '../../support/payer-server-scripted.ts'
import { openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { response } from './payer-kit.ts'

let payer: PayerServer
/** One for most tests, each with a payer of its own. */
let shared: ServiceKit
let kit: ServiceKit
let client: Client
let payerId: string
const log: string[] = []
const time = { now: Date.UTC(2026, 10, 24, 15), elapsed: 0 }
const clock = { now: () => time.now, elapsed: () => time.elapsed }
beforeAll(async () => {
  payer = await startPayerServer()
  shared = await kitWith({ pauses: [0, 0] })
})
afterAll(async () => {
  await shared.close()
  await payer.close()
})
let tests = 0
beforeEach(async () => {
  tests += 1
  payerId = `P${tests}`
  await use(shared)
})
afterEach(async () => {
  if (kit !== shared) await kit.close()
})

function kitWith(payerTuning: ServiceOptions['payerTuning'], options: Partial<ServiceOptions> = {}): Promise<ServiceKit> {
  const provider = { npi: '1999999984', organization_name: 'Quiet Street Practice' }
  return openKit({
    clock,
    log: lineLog((line) => log.push(line)),
    payer: () => ({ kind: 'stedi', address: `${payer.address}/2024-04-01/`, key: 'a-key', provider }),
    payerTuning,
    ...options,
  })
}

async function use(given: ServiceKit): Promise<void> {
  kit = given
  const insurance = {
    payer_id: payerId,
    payer_name: 'Northlake',
    member_id: 'W123456789',
    group_number: null,
    relationship: 'self' as const,
  }
  const body = { display_name: 'Ana', given_name: 'Ana', family_name: 'López', date_of_birth: '1990-01-31', insurance }
  client = (await kit.client.call('createClient', { body })).data
}

async function check(more: object = {}, headers: Record<string, string> = {}) {
  const answer = await kit.fetch('POST', '/v1/ai/insurance', { client_id: client.id, payer_id: payerId, ...more }, headers)
  return { status: answer.status, body: (await answer.json()) as StoredCoverage & { code: string } }
}

const refusal = (code: string, more: object = {}) => ({
  payer: { name: 'NORTHLAKE HEALTH', aaaErrors: [] },
  errors: [{ code, followupAction: 'Please Correct and Resubmit', location: 'Loop 2100C', ...more }],
})

test('a payer is asked in its gateway’s own shape, and its answer read like any other', async () => {
  payer.script([{ body: activePlan }])
  const { status, body } = await check({ service_date: '2026-11-24', cpt_codes: ['90837'], modality: 'video' })
  expect(payer.asked).toEqual([
    {
      path: '/2024-04-01/change/medicalnetwork/eligibility/v3',
      authorization: 'a-key',
      body: {
        controlNumber: expect.stringMatching(/^\d{9}$/),
        tradingPartnerServiceId: payerId,
        provider: { organizationName: 'Quiet Street Practice', npi: '1999999984' },
        subscriber: { firstName: 'Ana', lastName: 'López', dateOfBirth: '19900131', memberId: 'W123456789' },
        encounter: {
          serviceTypeCodes: ['30', 'MH'],
          dateOfService: '20261124',
          industryCode: '10',
          medicalProcedures: [{ productOrServiceIDQualifier: 'HC', procedureCode: '90837' }],
        },
      },
    },
  ])
  expect([status, body]).toMatchObject([
    200,
    {
      status: 'active',
      source: 'live',
      payer: { id: payerId, name: 'NORTHLAKE HEALTH' },
      plan: { name: 'SILVER PPO', type: 'PPO', group_number: 'G-77', period: { start: '2026-01-01', end: '2026-12-31' } },
      mental_health: {
        covered: 'yes',
        copay: { amount: '20.00' },
        visit_limit: { total: null, remaining: 12 },
        authorization_required: 'no',
        deductible: null,
      },
      patient_estimate: { amount: '20.00', basis: ['EB#3'] },
    },
  ])
})

test('where the gateway hands on the payer’s own X12, that is read and kept', async () => {
  const x12 = response(['EB*1*IND*30', 'EB*1*IND*MH', 'EB*B*IND*MH***27*15****N*Y', 'ZZZ*NEW'])
  payer.script([{ body: { ...activePlan, x12 } }])
  const { body } = await check()
  expect(body.mental_health.copay?.amount).toBe('15.00')
  expect(body.benefits[2]?.segments).toEqual(['EB*B*IND*MH***27*15****N*Y', 'ZZZ*NEW'])
  const raw = await kit.client.call('getRawCoverage', { params: { id: body.eligibility_id } })
  expect(raw.data).toMatchObject({ media_type: 'application/edi-x12', text: x12 })
})

test('a payer’s refusal is an answer: its code, its letter, a hint, and not asked again', async () => {
  payer.script([{ body: refusal('75') }])
  const { status, body } = await check()
  expect([status, body.status, payer.asked.length]).toEqual([200, 'not_found', 1])
  expect(body.errors).toMatchObject([{ aaa: '75', followup: 'C', location: '2100C', retryable: false }])
})

test('a payer id the gateway does not know is not asked again', async () => {
  payer.script([{ status: 400, body: refusal('79', { location: null }) }])
  const { status, body } = await check()
  expect([status, body.status, body.errors[0]?.aaa, payer.asked.length]).toEqual([200, 'unknown', '79', 1])
  payer.script([{ status: 400, body: { message: 'invalid' } }])
  expect(await check()).toMatchObject({ status: 502, body: { code: 'engine-failed' } })
  expect(payer.asked).toHaveLength(1)
})

test.each([
  ['busy', { status: 429, body: {}, headers: { 'Retry-After': '0' } }],
  ['broken', { status: 502, body: '<html>' }],
  ['cut off', { breaksOff: true }],
  ['out (AAA 42)', { body: refusal('42') }],
  ['out for all (AAA 42 and 79)', { body: { errors: [...refusal('42').errors, ...refusal('79').errors] } }],
  ['out of time (AAA 80)', { body: refusal('80') }],
])('a payer that is %s is asked again, and its answer counts', async (_, trouble) => {
  payer.script([trouble, trouble, { body: activePlan }])
  const { status, body } = await check()
  expect([status, body.status, payer.asked.length]).toEqual([200, 'active', 3])
})

test('a payer that never answers is 503 in the end, and what it said before stands', async () => {
  await use(await kitWith({ pauses: [0], timeoutMs: 700 }))
  payer.script([{ body: activePlan }])
  const first = (await check()).body
  payer.script([{ after: new Promise(() => {}) }])
  time.now += 1000
  const { status, body } = await check({ max_age_hours: 0 })
  expect([status, body.code, payer.asked.length]).toEqual([503, 'payer-unavailable', 2])
  const { data } = (await kit.client.call('listCoverage', { query: { client_id: client.id } })).data
  expect(data.map((one) => one.status)).toEqual(['active', 'payer_unavailable'])
  expect((await check()).body).toMatchObject({ eligibility_id: first.eligibility_id, source: 'cache' })
})

test.each([
  ['no JSON', 'Bad gateway'],
  ['another shape', { benefitsInformation: 'none' }],
  ['broken X12', { x12: 'ISA*00*' }],
])('%s is a clear failure', async (_, body) => {
  payer.script([{ body }])
  expect(await check()).toMatchObject({ status: 502, body: { code: 'engine-failed' } })
  expect(payer.asked).toHaveLength(1)
})

test('a key the gateway does not take says where to look', async () => {
  payer.script([{ status: 401, body: {} }])
  expect(await check()).toMatchObject({ status: 503, body: { code: 'engine-not-ready' } })
})

test('an answer is given again with its age for as long as the caller allows, and asked anew after', async () => {
  payer.script([{ body: activePlan }])
  const first = (await check()).body
  expect(first).toMatchObject({ source: 'live' })
  time.now += 2 * 3_600_000
  expect((await check()).body).toMatchObject({ eligibility_id: first.eligibility_id, source: 'cache', age_seconds: 7200 })
  expect(payer.asked).toHaveLength(1)
  expect((await check({ max_age_hours: 1 })).body).toMatchObject({ source: 'live' })
  // Another question is not answered with this one's answer.
  expect((await check({ network: 'out' })).body).toMatchObject({ source: 'live', mental_health: { copay: null } })
  time.now += 25 * 3_600_000
  expect((await check()).body).toMatchObject({ source: 'live' })
  expect(payer.asked).toHaveLength(4)
})

test('the same question asked by many at once goes out once; a slow payer holds nobody else up', async () => {
  const slow = Promise.withResolvers<void>()
  payer.script(({ body }) => ({
    body: activePlan,
    ...(body['tradingPartnerServiceId'] === 'SLOW' ? { after: slow.promise } : {}),
  }))
  const waiting = [1, 2, 3].map(() => check({ payer_id: 'SLOW', max_age_hours: 0 }))
  expect((await check({ payer_id: 'QUICK' })).status).toBe(200)
  slow.resolve()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(payer.asked.filter(({ body }) => body['tradingPartnerServiceId'] === 'SLOW')).toHaveLength(1)
})

test('a call done again with its key asks nobody again', async () => {
  payer.script([{ body: activePlan }])
  const again = () => check({ max_age_hours: 0 }, { 'Idempotency-Key': 'once' })
  const [first, second] = [await again(), await again()]
  expect(second.body.eligibility_id).toBe(first.body.eligibility_id)
  expect(payer.asked).toHaveLength(1)
})

test('work that takes long is an operation, and can be waited for', async () => {
  await use(await kitWith({}, { waitMs: 1 }))
  const slow = Promise.withResolvers<void>()
  payer.script([{ body: activePlan, after: slow.promise }])
  const { status, body } = await check({}, { Prefer: 'respond-async' })
  expect(status).toBe(202)
  slow.resolve()
  const id = (body as unknown as { id: string }).id
  await expect
    .poll(async () => (await kit.client.call('getOperation', { params: { id } })).data, { timeout: 20_000 })
    .toMatchObject({ kind: 'verify-insurance', status: 'succeeded', result: { status: 'active', client_id: client.id } })
})

test('a payer that keeps silent is left alone for a minute, then asked once to see', async () => {
  await use(await kitWith({ pauses: [] }))
  payer.script([{ status: 503 }])
  for (let call = 0; call < 5; call += 1) expect((await check()).status).toBe(503)
  expect(payer.asked).toHaveLength(5)
  expect(await check()).toMatchObject({ status: 503, body: { code: 'payer-unavailable' } })
  expect(payer.asked).toHaveLength(5)
  // Another payer is none the worse for it.
  expect((await check({ payer_id: 'OTHER' })).status).toBe(503)
  expect(payer.asked).toHaveLength(6)
  time.elapsed += 60_000
  expect((await check()).status).toBe(503)
  expect((await check()).status).toBe(503)
  expect(payer.asked).toHaveLength(7)
  time.elapsed += 60_000
  payer.script([{ body: activePlan }])
  expect((await check()).status).toBe(200)
  expect((await check({ max_age_hours: 0 })).status).toBe(200)
})

test('no log line names a member, and no problem repeats one', async () => {
  const told: string[] = []
  for (const script of [
    { body: refusal('72') },
    { status: 500 },
    { body: 'no' },
    { status: 422, body: { detail: 'W123456789' } },
  ]) {
    payer.script([script])
    told.push(JSON.stringify((await check({ max_age_hours: 0 })).body.code ?? ''))
  }
  const said = [...log, ...told].join('\n')
  for (const secret of ['W123456789', 'López', 'LOPEZ', 'Ana', '1990']) expect(said).not.toContain(secret)
})
