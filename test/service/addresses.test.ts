import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/rest/route.ts'
import { routes, basesOf } from '#contract/rest/routes.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { aClient, anId, aSession, audioOf, openKit, sessionOgg } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'
import { wavOf } from './sound.ts'

let kit: ServiceKit
let speech: ScriptedSpeech
const recording = anId()
let hours = 0
const aFreeHour = (): string => new Date(Date.UTC(2030, 0, 1) + (hours += 1) * 3_600_000).toISOString()

beforeAll(async () => {
  speech = await startScriptedSpeech([{ status: 200, body: JSON.stringify({ text: 'I slept badly.' }) }])
  const audio = audioOf({ [recording]: { bytes: sessionOgg, session_id: anId() } })
  kit = await openKit({ speech: () => ({ address: speech.address, model: null, key: null, language: 'en' }), audio })
})
afterAll(async () => {
  await kit.close()
  await speech.close()
})

/** What a caller who read only the published document would send, and what then comes back. */
const bodies: Record<string, (client: string, session: string) => unknown> = {
  transcribe: (_, session_id) => ({ audio: { content: wavOf(1), media_type: 'audio/wav' }, session_id }),
  transcribeWithSpeakers: (_, session_id) => ({ audio: { content: wavOf(1), media_type: 'audio/wav' }, session_id }),
  generateNote: (client_id, session_id) => ({
    session_id,
    client_id,
    template: 'SOAP',
    transcript: 'Therapist: How did you sleep?\nAna: I slept badly and I feel anxious at work.',
  }),
  generateNoteFromData: () => ({
    session_type: 'individual therapy',
    duration_minutes: 50,
    presenting_concerns: ['Work stress'],
    interventions: ['Sleep diary'],
    client_response: 'She found it helpful.',
  }),
  createSession: (client_id) => ({ client_id, session_type: 'intake', starts_at: aFreeHour(), duration_minutes: 50 }),
  analyze: () => ({ transcript: 'Ana: I slept badly.' }),
  schedule: (client_id) => ({
    mode: 'check',
    request: {
      client_ids: [client_id],
      type: 'individual',
      duration_minutes: 50,
      start: '2031-01-06T10:00:00',
      tzid: 'Europe/Berlin',
    },
  }),
  verifyInsurance: (client_id) => ({ client_id, payer_id: '60054' }),
}
const queries: Record<string, string> = { readAnalytics: '?from=2026-01-01&to=2026-02-01' }
const statuses: Record<string, number> = {
  transcribe: 200,
  transcribeWithSpeakers: 200,
  generateNote: 201,
  generateNoteFromData: 201,
  createSession: 201,
  listClients: 200,
  analyze: 200,
  schedule: 200,
  verifyInsurance: 503,
  readAnalytics: 200,
}

describe.each(Object.entries(routes as Record<string, Route>).filter(([, route]) => route.published))('%s', (id, route) => {
  test.each(basesOf(route))(`answers under %s${route.path}`, async (base) => {
    const client = await aClient(kit.client)
    const session = await aSession(kit.client, client.id)
    const response = await kit.fetch(route.method, base + route.path + (queries[id] ?? ''), bodies[id]?.(client.id, session.id))
    const body = await response.json()
    expect([response.status, response.status < 400 ? null : (body as { code: string }).code]).toEqual([
      statuses[id],
      statuses[id] === 503 ? 'engine-not-ready' : null,
    ])
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    if (response.status === 503) expect(problemSchema.parse(body).detail).toMatch(/\.$/)
  })
})

test('there are ten published operations', () => {
  expect(Object.values(routes as Record<string, Route>).filter(({ published }) => published)).toHaveLength(10)
})

test('the service document stands at the base address, with and without its slash', async () => {
  for (const path of ['/v1', '/v1/', '/api/v1', '/api/v1/']) {
    const response = await kit.fetch('GET', path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ api_version: '1', capabilities: expect.arrayContaining(['notes', 'uploads']) })
  }
})

test('the OpenAPI document is open to anybody', async () => {
  const response = await kit.fetch('GET', '/v1/openapi.json')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: { '/clients': {} } })
})
