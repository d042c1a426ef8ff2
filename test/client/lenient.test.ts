import { expect, test } from 'vitest'
import { clientSchema } from '#contract/model/client.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import { routes } from '#contract/rest/routes.ts'
import { answerSchema, parseLeniently } from '#client/answer.ts'

const id = '01935a3c-7b9a-7c4e-8a52-1f0e6d1c2b3a'

test('what an answer leaves out is nothing, and what it has must be what it should be', () => {
  expect(parseLeniently(clientSchema, { id, display_name: 'Ana Lopez' })).toMatchObject({
    id,
    display_name: 'Ana Lopez',
    version: 1,
    insurance: null,
  })
  const session = { id, client_id: id, session_type: 'individual', starts_at: '2024-03-04T09:00:00Z', duration_minutes: 50 }
  expect(parseLeniently(sessionSchema, { ...session, ends_at: '2024-03-04T09:50:00Z' })).toMatchObject({
    started_at: null,
    series_id: null,
    version: 1,
  })
  const heard = { id, segments: [{ id: 's1', text: 'I could not sleep.' }], engine: { name: 'e', version: '1' } }
  expect(parseLeniently(transcriptSchema, heard)).toMatchObject({
    session_id: null,
    speakers: [],
    segments: [{ text: 'I could not sleep.', speaker_id: null, start_ms: null }],
  })
})

test('what cannot be told is not made up', () => {
  expect(parseLeniently(clientSchema, { display_name: 'Ana Lopez' })).toBeNull()
  expect(parseLeniently(clientSchema, { id, display_name: 7 })).toBeNull()
  expect(parseLeniently(clientSchema, { id })).toBeNull()
  expect(parseLeniently(transcriptSchema, '<html>')).toBeNull()
  expect(parseLeniently(transcriptSchema, null)).toBeNull()
})

test('done is done by whatever status; accepted is not done', () => {
  expect(answerSchema(routes.createSession, 200)).toBe(sessionSchema)
  expect(answerSchema(routes.transcribe, 201)).toBe(transcriptSchema)
  expect(answerSchema(routes.createSession, 202)).toBeUndefined()
  expect(answerSchema(routes.createSession, 302)).toBeUndefined()
  expect(answerSchema(routes.createClient, 200)).toBeUndefined()
})
