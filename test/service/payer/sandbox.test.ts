import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { CoverageRequest, StoredCoverage } from '#contract/model/coverage.ts'
import type { VerifyTask } from '#service/jobs/verify-insurance.ts'
import { verifyInsurance } from '#service/jobs/verify-insurance.ts'
import type { PayerDesk } from '#service/payer/desk.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { getOperation } from '#service/store/operations.ts'
import { openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { anInquiry } from './payer-kit.ts'

let kit: ServiceKit
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit.close())

const insurance = (member_id: string, payer_id = 'AWSANDBOX') => ({
  payer_id,
  payer_name: 'Sandbox payer',
  member_id,
  group_number: null,
  relationship: 'self' as const,
})

async function sample(member_id: string, payer_id?: string): Promise<Client> {
  const body = {
    display_name: 'Sam Sample',
    given_name: 'Sam',
    family_name: 'Sample',
    date_of_birth: '1990-01-31',
    insurance: insurance(member_id, payer_id),
  }
  return (await kit.client.call('createClient', { body })).data
}

async function check(member_id: string, more: Partial<CoverageRequest> = {}) {
  const client = await sample(member_id)
  const answer = await kit.fetch('POST', '/api/ai/insurance', { client_id: client.id, payer_id: 'AWSANDBOX', ...more })
  const coverage = (await answer.json()) as StoredCoverage & { code?: string; detail?: string }
  return { status: answer.status, coverage, client }
}

test('an active member: every headline value cites its line, and what was not said is unknown, never nought', async () => {
  const { status, coverage, client } = await check('AWTEST-ACTIVE')
  expect(status).toBe(200)
  expect(coverage).toMatchObject({
    status: 'active',
    source: 'sandbox',
    client_id: client.id,
    payer: { id: 'AWSANDBOX', name: 'SANDBOX PAYER' },
    plan: {
      name: 'SILVER PPO',
      type: 'PPO',
      group_number: 'AW-100',
      period: { start: '2026-01-01', end: '2026-12-31' },
      carve_out: null,
    },
    mental_health: {
      covered: 'yes',
      network: 'in',
      copay: { amount: '20.00', currency: 'USD' },
      coinsurance_percent: null,
      deductible: { individual: { total: '1500.00', remaining: '430.00' }, family: null },
      out_of_pocket: { individual: { total: '6000.00', remaining: '2100.00' }, family: null },
      visit_limit: { total: 30, remaining: 12, period: 'calendar_year' },
      authorization_required: 'no',
      telehealth_covered: 'unknown',
    },
    patient_estimate: { amount: '20.00', basis: ['EB#3'], confidence: 'stated', disclaimer: 'not a guarantee of payment' },
    alternatives: [{ network: 'out', copay: null, coinsurance_percent: '40', deductible: null, out_of_pocket: null }],
    basis: {
      status: ['EB#1'],
      'mental_health.covered': ['EB#2'],
      'mental_health.copay': ['EB#3'],
      'mental_health.deductible.individual.remaining': ['EB#5'],
      'mental_health.visit_limit.remaining': ['EB#9'],
      'mental_health.authorization_required': ['EB#3'],
    },
    conflicts: [],
    errors: [],
  })
  expect(coverage.benefits[2]).toMatchObject({ row: 'EB#3', eb: 'B', stc: ['MH'], amount: '20', in_network: 'Y' })
  expect(coverage.benefits[2]?.messages).toEqual(['DEDUCTIBLE DOES NOT APPLY TO OFFICE VISITS'])
})

test('the answer is kept as it came, to be read again', async () => {
  const { coverage } = await check('AWTEST-ACTIVE')
  const params = { id: coverage.eligibility_id }
  const raw = (await kit.client.call('getRawCoverage', { params })).data
  expect(raw).toMatchObject({
    media_type: 'application/edi-x12',
    text: expect.stringMatching(/^ISA\*.*EB\*1\*IND\*30\*PR\*SILVER PPO~.*~$/),
  })
  expect((await kit.client.call('getCoverage', { params })).data).toMatchObject({ raw_ref: `raw_${params.id}`, version: 1 })
})

test('an inactive member is not covered', async () => {
  const { coverage } = await check('AWTEST-INACTIVE')
  expect(coverage).toMatchObject({ status: 'inactive', patient_estimate: null, plan: { period: { end: '2026-03-31' } } })
  expect(coverage.mental_health.copay).toBeNull()
})

test('a member the payer does not find is an answer with an error, its letter and a hint', async () => {
  const { status, coverage } = await check('AWTEST-NOTFOUND')
  expect([status, coverage.status]).toEqual([200, 'not_found'])
  expect(coverage.errors).toEqual([
    { aaa: '75', followup: 'C', location: '2100C', retryable: false, hint: expect.stringContaining('name with the card') },
  ])
})

test('a carve-out names who answers for mental health', async () => {
  const { coverage } = await check('AWTEST-CARVEOUT')
  expect(coverage.plan?.carve_out).toEqual({ payer_id: 'AWSANDBOX-BH', name: 'SANDBOX BEHAVIORAL', phone: '8005550100' })
  expect(coverage).toMatchObject({ status: 'active', mental_health: { covered: 'unknown' }, patient_estimate: null })
  expect(coverage.basis).toMatchObject({ 'plan.carve_out': ['EB#2'] })
})

test('visits that are used up leave no estimate', async () => {
  const { coverage } = await check('AWTEST-VISITS')
  expect(coverage.mental_health.visit_limit).toEqual({ total: 20, remaining: 0, period: 'calendar_year' })
  expect(coverage.patient_estimate).toBeNull()
})

test('authorization is required where the payer says so', async () => {
  const { coverage } = await check('AWTEST-AUTH')
  expect(coverage.mental_health).toMatchObject({ authorization_required: 'yes', copay: { amount: '25.00' } })
})

test('lines that contradict each other are all listed, and none is picked', async () => {
  const { coverage } = await check('AWTEST-CONFLICT')
  expect(coverage.mental_health.copay).toBeNull()
  expect(coverage.conflicts).toEqual([{ field: 'mental_health.copay', rows: ['EB#3', 'EB#4'], values: ['20.00', '35.00'] }])
  expect(coverage.patient_estimate).toBeNull()
})

test('video is covered where a line says so', async () => {
  const { coverage } = await check('AWTEST-VIDEO')
  expect(coverage.mental_health.telehealth_covered).toBe('yes')
  expect(coverage.basis).toMatchObject({ 'mental_health.telehealth_covered': ['EB#3'] })
})

test('a share of a fee nobody knows is no amount', async () => {
  const { coverage } = await check('AWTEST-SHARE')
  expect(coverage).toMatchObject({ mental_health: { coinsurance_percent: '20', copay: null }, patient_estimate: null })
})

test('an active plan that says nothing of mental health leaves it unknown', async () => {
  const { coverage } = await check('AWTEST-SILENT')
  expect(coverage).toMatchObject({
    status: 'active',
    mental_health: { covered: 'unknown', network: 'unknown', deductible: null },
  })
})

test('a payer that is down is 503, and the failed check is kept beside the last result', async () => {
  const { status, coverage, client } = await check('AWTEST-DOWN')
  expect([status, coverage.code]).toEqual([503, 'payer-unavailable'])
  const { data } = (await kit.client.call('listCoverage', { query: { client_id: client.id } })).data
  expect(data).toMatchObject([{ status: 'payer_unavailable', source: 'sandbox', raw_ref: null, patient_estimate: null }])
})

test('what a payer that is out said is kept also where the end of the check has to be stored twice', async () => {
  const { client } = await check('AWTEST-DOWN')
  const kept = async () => (await kit.client.call('listCoverage', { query: { client_id: client.id } })).data.data.length
  const before = await kept()
  const [asked] = await kit.ask<{ id: string; practice_id: string }>(
    "select id, practice_id from operations where kind = 'verify-insurance' order by created_at desc, id desc",
  )
  const db = await openStore(kit.store)
  const ask = () => Promise.reject(new AppError('payer-unavailable'))
  const payer = { ask } as unknown as PayerDesk
  const { worker, cleanUp } = verifyInsurance({ clock: systemClock, payer })
  const { trace: _trace, asked_at: _at, ...question } = anInquiry()
  const task: VerifyTask = { gateway: 'sandbox', question, network: 'auto', client_id: client.id, question_hash: 'q' }
  const operation = {
    ...(await inPractice(db, asked!.practice_id, (read) => getOperation(read, asked!.practice_id, asked!.id))),
    payload: JSON.stringify(task),
  }
  const work = { signal: new AbortController().signal, progress: async () => {} }
  await expect(worker(operation, work)).rejects.toMatchObject({ code: 'payer-unavailable' })
  const letGo = inPractice(db, operation.practice_id, async (write) => {
    await cleanUp(write, operation)
    throw new Error('the other one goes first')
  })
  await expect(letGo).rejects.toThrow('goes first')
  await inPractice(db, operation.practice_id, (write) => cleanUp(write, operation))
  await db.destroy()
  expect(await kept()).toBe(before + 1)
})

test.each([
  ['AWTEST-AAA43', 200, 'unknown', '2100B'],
  ['AWTEST-AAA72N', 200, 'not_found', '2100C'],
  ['AWTEST-AAA79', 200, 'unknown', '2100A'],
])('a refusal %s is an answer, not a failure', async (member, status, meaning, location) => {
  const { status: answered, coverage } = await check(member)
  expect([answered, coverage.status]).toEqual([status, meaning])
  expect(coverage.errors).toMatchObject([{ aaa: member.slice(10, 12), followup: member[12] ?? 'C', location }])
})

test('a dependent is asked about below the subscriber, and the answer is read from there', async () => {
  const body = { ...insurance('AWTEST-ACTIVE'), relationship: 'child' as const }
  const child = { given_name: 'Kim', family_name: 'Sample', date_of_birth: '2014-05-06' }
  const { data: client } = await kit.client.call('createClient', { body: { display_name: 'Kim', ...child, insurance: body } })
  const asked = { client_id: client.id, payer_id: 'AWSANDBOX' }
  expect((await kit.fetch('POST', '/v1/ai/insurance', asked)).status).toBe(422)
  const subscriber = { member_id: 'AWTEST-ACTIVE', given_name: 'Sam', family_name: 'Sample', date_of_birth: '1980-01-01' }
  const answer = await kit.fetch('POST', '/v1/ai/insurance', { ...asked, subscriber })
  const coverage = (await answer.json()) as StoredCoverage
  expect(coverage).toMatchObject({ status: 'active', mental_health: { copay: { amount: '20.00' } } })
  expect(new Set(coverage.benefits.map(({ whose }) => whose))).toEqual(new Set(['dependent']))
})

test('without a gateway a real payer is 503 that says what to do, and no test member reaches one', async () => {
  const real = await sample('W123', '87726')
  const asked = await kit.fetch('POST', '/v1/ai/insurance', { client_id: real.id, payer_id: '87726' })
  expect([asked.status, await asked.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'engine-not-ready', detail: expect.stringContaining('ask the payer by telephone') }),
  ])
  // A real client is never asked about at the sandbox, nor with its members.
  const atSandbox = await kit.fetch('POST', '/v1/ai/insurance', { client_id: real.id, payer_id: 'AWSANDBOX' })
  expect(atSandbox.status).toBe(422)
  const nobody = { member_id: 'AWTEST-ACTIVE', given_name: 'A', family_name: 'B', date_of_birth: '1990-01-01' }
  expect((await kit.fetch('POST', '/v1/ai/insurance', { payer_id: 'AWSANDBOX', subscriber: nobody })).status).toBe(422)
})
