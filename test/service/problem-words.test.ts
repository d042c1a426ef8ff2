import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemSchema } from '#contract/model/problem.ts'
import type { Problem } from '#contract/model/problem.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { aClient, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let keyed: ServiceKit
let client: string
let session: string
beforeAll(async () => {
  kit = await openKit({ consentPolicy: 'enforced' })
  keyed = await openKit({ caller: 'api-keys' })
  client = (await aClient(kit.client)).id
  session = (await aSession(kit.client, client)).id
})
afterAll(async () => {
  await kit.close()
  await keyed.close()
})

async function problem(answer: Promise<Response>): Promise<Problem> {
  return problemSchema.parse(await (await answer).json())
}

describe('a wrong field is told in plain words what it must be', () => {
  const start = '2030-01-01T10:00:00Z'
  const one = { client_id: anId(), session_type: 'individual', starts_at: start, duration_minutes: 50 }
  test.each<[string, object, string, string]>([
    ['missing', { ...one, starts_at: undefined }, '/starts_at', 'This field is required.'],
    ['a missing choice', { ...one, session_type: undefined }, '/session_type', 'This field is required.'],
    ['null', { ...one, starts_at: null }, '/starts_at', 'Must be text, not null.'],
    ['text for a number', { ...one, duration_minutes: '50' }, '/duration_minutes', 'Must be a whole number.'],
    ['a fraction', { ...one, duration_minutes: 1.5 }, '/duration_minutes', 'Must be a whole number.'],
    ['too little', { ...one, duration_minutes: 0 }, '/duration_minutes', 'Must be 1 or more.'],
    ['too much', { ...one, duration_minutes: 9999 }, '/duration_minutes', 'Must be 1440 or less.'],
    ['another choice', { ...one, modality: 'x' }, '/modality', 'Must be one of `in_person`, `video`, `phone`.'],
    ['no UUID', { ...one, client_id: 'x' }, '/client_id', 'Must be a UUID.'],
    [
      'an offset',
      { ...one, starts_at: '2030-01-01T10:00:00-05:00' },
      '/starts_at',
      'Must be a time in UTC that ends in Z, for example `2026-11-24T15:00:00Z`.',
    ],
    ['no list', { ...one, participants: {} }, '/participants', 'Must be a list.'],
    ['an empty text', { ...one, participants: [{ name: '', role: 'client' }] }, '/participants/0/name', 'Must not be empty.'],
    ['a long line', { ...one, cpt_code: 'x'.repeat(201) }, '/cpt_code', 'Must have at most 200 characters.'],
    [
      'a long list',
      { ...one, presenting_concerns: Array(41).fill('x') },
      '/presenting_concerns',
      'Must have at most 40 entries.',
    ],
  ])('%s', async (_name, body, pointer, message) => {
    const { errors } = await problem(kit.fetch('POST', '/v1/sessions', body))
    expect(errors).toEqual([{ pointer, code: expect.not.stringMatching('custom'), message }])
  })

  test('a rule of its own has a code and says what is needed', async () => {
    const body = { session_id: session, client_id: client, template: 'soap' }
    const { errors } = await problem(kit.fetch('POST', '/v1/ai/generate-note', body))
    const message = 'Send exactly one of `transcript` and `transcript_id`.'
    expect(errors).toEqual([{ pointer: '/transcript', code: 'invalid_value', message }])
  })

  test('to book in words, the two steps are named', async () => {
    const request = { client_ids: [client], type: 'individual', duration_minutes: 50, tzid: 'UTC' }
    const { errors } = await problem(kit.fetch('POST', '/v1/ai/schedule', { mode: 'book', request, text: 'Tuesday at 3 pm' }))
    expect(errors).toMatchObject([{ pointer: '/request/start', code: 'invalid_value' }])
    expect(errors![0]!.message).toMatch(/`text` with `propose` first.*`proposal_id`/)
  })
})

describe('the detail says what to do, beyond the title', () => {
  const consented = () => ({ session_id: session, client_id: client, template: 'soap', transcript: 'T: Hello.' })
  test.each<[string, () => Promise<Response>, ErrorCode, string]>([
    ['422', () => kit.fetch('POST', '/v1/clients', {}), 'validation-failed', '`errors`'],
    ['428', () => kit.fetch('PATCH', `/v1/clients/${client}`, { phone: '1' }), 'version-required', '`If-Match: "3"`'],
    ['405', () => kit.fetch('DELETE', '/v1/clients'), 'method-not-allowed', '`Allow`'],
    ['401', () => keyed.fetch('GET', '/v1/clients'), 'unauthenticated', '`Authorization: Bearer`'],
    ['403', () => kit.fetch('POST', '/v1/ai/generate-note', consented()), 'consent-missing', '`POST /consents`'],
  ])('%s', async (status, send, code, what) => {
    const { detail, title, ...rest } = await problem(send())
    expect(rest).toMatchObject({ status: Number(status), code })
    expect(detail).not.toBe(title)
    expect(detail).toContain(what)
  })
})
