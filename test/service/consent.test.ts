import { afterEach, expect, test } from 'vitest'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { consentCases } from '#test/support/consent-cases.ts'
import { aClient, agree, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'
import { schedule } from './schedule/schedule-kit.ts'
import { wavOf } from './sound.ts'

let kit: ServiceKit
let speech: ScriptedSpeech
afterEach(async () => {
  await kit.close()
  await speech.close()
})

async function open(consentPolicy: 'enforced' | 'asserted') {
  speech = await startScriptedSpeech([{ status: 200, body: '{"text":"I slept badly."}' }])
  kit = await openKit({ consentPolicy, speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
  return aClient(kit.client)
}

const audio = { content: wavOf(1), media_type: 'audio/wav' }
const transcribe = (session_id?: string) =>
  kit.client.call('transcribe', { body: { audio, ...(session_id ? { session_id } : {}) } }).then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  )
const draft = (session_id: string, client_id: string) =>
  kit.client
    .call('generateNote', {
      body: { session_id, client_id, template: 'dap', transcript: 'Ana: I slept badly and felt anxious.' },
    })
    .then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    )
const revoke = (id: string) => kit.client.call('revokeConsent', { params: { id }, body: { revoked_at: '2026-03-01T09:00:00Z' } })

test('enforced: without consent, or without a session to ask about, nothing is transcribed or drafted', async () => {
  const { id } = await open('enforced')
  const session = await aSession(kit.client, id)
  expect([await transcribe(session.id), await transcribe(), await draft(session.id, id)]).toEqual(
    Array(3).fill('consent-missing'),
  )
  await agree(kit.client, id)
  expect([await transcribe(session.id), await draft(session.id, id)]).toEqual([200, 201])
  expect(speech.requests).toHaveLength(1)
})

test('enforced: everyone in the room must have agreed', async () => {
  const { id } = await open('enforced')
  const participants = [
    { name: 'Ana Lopez', role: 'client' as const },
    { name: 'Ben Lopez', role: 'partner' as const },
  ]
  const session = await aSession(kit.client, id, { session_type: 'couple', participants })
  await agree(kit.client, id)
  expect(await transcribe(session.id)).toBe('consent-missing')
  await agree(kit.client, id, ' ben  lopez ', 'partner')
  expect(await transcribe(session.id)).toBe(200)
})

test('enforced: somebody who agreed under an earlier name is still who they are', async () => {
  const { id } = await open('enforced')
  await agree(kit.client, id, 'Ana Garcia')
  const session = await aSession(kit.client, id, { participants: [{ name: 'Ana Lopez', role: 'client' }] })
  expect(await transcribe(session.id)).toBe(200)
})

test('asserted: the call asserts consent; taken back it refuses, given again it allows', async () => {
  const { id } = await open('asserted')
  const session = await aSession(kit.client, id)
  expect([await transcribe(session.id), await transcribe()]).toEqual([200, 200])
  const consent = await agree(kit.client, id)
  await revoke(consent.id)
  expect([await transcribe(session.id), await draft(session.id, id)]).toEqual(['consent-missing', 'consent-missing'])
  await agree(kit.client, id)
  expect(await transcribe(session.id)).toBe(200)
})

test('a partner who is a client too is heard in their own record: a yes there, and a no over all others', async () => {
  const ana = await open('enforced')
  const ben = await aClient(kit.client, 'Ben Lopez')
  const request = { client_ids: [ana.id, ben.id], type: 'couple' as const, start: '2027-11-03T10:00:00' }
  const booked = await schedule(kit.client, 'book', request)
  const id = booked.appointment!.id
  await agree(kit.client, ana.id)
  expect(await transcribe(id)).toBe('consent-missing')
  const own = await agree(kit.client, ben.id, 'Ben')
  expect(await transcribe(id)).toBe(200)
  await agree(kit.client, ana.id, 'Ben Lopez', 'partner')
  await revoke(own.id)
  expect(await transcribe(id)).toBe(200)
  const revoked_at = new Date().toISOString()
  const again = await agree(kit.client, ben.id, 'Ben')
  await kit.client.call('revokeConsent', { params: { id: again.id }, body: { revoked_at } })
  expect(await transcribe(id)).toBe('consent-missing')
})

test('a no counts for all that was agreed to before it', async () => {
  const { id } = await open('enforced')
  const session = await aSession(kit.client, id)
  await agree(kit.client, id)
  const renewed = await agree(kit.client, id)
  await kit.client.call('revokeConsent', {
    params: { id: renewed.id },
    body: { revoked_at: new Date(Date.now() + 1000).toISOString() },
  })
  expect(await transcribe(session.id)).toBe('consent-missing')
})

test.each(consentCases)('$promise', async ({ client: name, present, forms, isAgreed }) => {
  await open('enforced')
  const { id } = await aClient(kit.client, name)
  const began = Date.now() - 60_000
  for (const [at, { participant, isRevoked }] of forms.entries()) {
    const body = { client_id: id, participant, scopes: ['transcribe' as const], text_version: '1', method: 'spoken' as const }
    const given_at = new Date(began + at * 1000).toISOString()
    const form = await kit.client.call('giveConsent', { body: { ...body, given_at } })
    const revoked_at = new Date(began + at * 1000 + 500).toISOString()
    if (isRevoked === true) await kit.client.call('revokeConsent', { params: { id: form.data.id }, body: { revoked_at } })
  }
  const session = await aSession(kit.client, id, { session_type: 'family', participants: [...present] })
  expect(await transcribe(session.id)).toBe(isAgreed ? 200 : 'consent-missing')
})
