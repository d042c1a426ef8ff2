import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { clientDraftSchema, clientPatchSchema, clientSchema } from '#contract/model/client.ts'
import { consentSchema } from '#contract/model/consent.ts'
import { noteSchema } from '#contract/model/note.ts'
import { operationSchema } from '#contract/model/operation.ts'
import { recordingSchema } from '#contract/model/recording.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'

const id = '0198a5c0-0000-7000-8000-000000000001'
const at = '2026-11-20T09:00:00Z'
const record = { id, created_at: at, updated_at: at, version: 1 }
const hash = 'a'.repeat(64)
const engine = { name: 'rules', version: '1', model: null }
const evidence = { segment_id: 's1', start_ms: 0, end_ms: 900, quote: 'I slept badly', quote_sha256: null }

const samples: Record<string, [z.ZodType, Record<string, unknown>]> = {
  client: [
    clientSchema,
    {
      ...record,
      display_name: 'Zoë Šimek',
      given_name: 'Zoë',
      family_name: 'Šimek',
      pronouns: null,
      date_of_birth: '1990-02-28',
      email: null,
      phone: null,
      status: 'active',
      clinician_id: null,
      diagnoses: [{ code: 'F41.1', description: 'Generalized anxiety disorder' }],
      insurance: { payer_id: 'P1', payer_name: 'Payer', member_id: 'M1', group_number: null, relationship: 'self' },
      goals: ['Sleep through the night'],
      vocabulary: ['Šimek'],
    },
  ],
  session: [
    sessionSchema,
    {
      ...record,
      client_id: id,
      session_type: 'couple',
      starts_at: at,
      duration_minutes: 50,
      modality: 'in_person',
      clinician_id: null,
      status: 'completed',
      participants: [{ name: 'Zoë', role: 'client' }],
      time_zone: 'Europe/Prague',
      recurrence: null,
      room_id: null,
      cpt_code: '90837',
      presenting_concerns: ['sleep'],
      ends_at: '2026-11-20T09:50:00Z',
      started_at: null,
      finished_at: null,
      series_id: null,
      occurrence_start: null,
    },
  ],
  consent: [
    consentSchema,
    {
      ...record,
      client_id: id,
      participant: { name: 'Zoë', role: 'client' },
      scopes: ['record', 'transcribe'],
      text_version: '2026-11',
      language: 'en',
      method: 'spoken',
      given_at: at,
      witness: null,
      revoked_at: null,
    },
  ],
  recording: [
    recordingSchema,
    {
      id,
      session_id: id,
      state: 'finished',
      started_at: at,
      finished_at: at,
      saved_ms: 60_000,
      bytes: 220_000,
      gaps: [{ at_ms: 1000, duration_ms: 4000, reason: 'pause' }],
      marks: [{ id, at_ms: 2000, text: 'tears', created_at: at }],
      device_label: 'Built-in',
      ogg_bytes: 219_000,
      ogg_sha256: hash,
      checked_at: at,
      erased_at: null,
    },
  ],
  transcript: [
    transcriptSchema,
    {
      ...record,
      session_id: id,
      language: 'en',
      duration_ms: null,
      speakers: [{ id: 'A', label: 'Therapist', role: 'therapist' }],
      segments: [
        { id: 's1', speaker_id: 'A', start_ms: null, end_ms: null, text: 'How did you sleep?', confidence: null, edited: false },
      ],
      engine,
    },
  ],
  note: [
    noteSchema,
    {
      ...record,
      session_id: id,
      client_id: id,
      template: 'soap',
      sections: [
        {
          key: 'subjective',
          title: 'Subjective',
          statements: [
            {
              id: 'st1',
              text: 'Client reported poor sleep.',
              evidence: [evidence],
              support: 'paraphrase',
              origin: 'rules',
              finding: { topic: 'sleep', state: 'stated' },
              safety: false,
              confirmed_at: null,
            },
          ],
        },
      ],
      unsupported: [{ text: 'x', reason: 'no evidence' }],
      omissions: [{ id: 'o1', kind: 'goal', text: 'A goal', evidence: [evidence], decision: 'open' }],
      checks: [{ code: 'risk', severity: 'needs_you', message: 'Look at this.' }],
      engine,
      status: 'amended',
      signature: { by: 'R. Kay', credential: 'LCSW', at, method: 'click', content_hash: hash },
      addenda: [{ id, text: 'Added.', reason: 'Forgotten.', by: 'R. Kay', at, content_hash: hash }],
    },
  ],
  operation: [
    operationSchema,
    { id, kind: 'transcribe', status: 'running', progress: 0.5, result: null, problem: null, created_at: at, updated_at: at },
  ],
}

describe.each(Object.entries(samples))('a %s', (_name, [schema, sample]) => {
  test('comes back from JSON as it went in', () => {
    expect(schema.parse(JSON.parse(JSON.stringify(schema.parse(sample))))).toEqual(sample)
  })

  test('loses fields this version does not know', () => {
    expect(schema.parse({ ...sample, not_in_the_contract: 1 })).toEqual(sample)
  })

  test('is refused when its id is not one', () => {
    expect(schema.safeParse({ ...sample, id: '../escape' }).success).toBe(false)
  })
})

test('a client draft needs a name and fills in the rest', () => {
  expect(clientDraftSchema.safeParse({ display_name: '  ' }).success).toBe(false)
  expect(clientDraftSchema.parse({ display_name: ' Zoë ' })).toMatchObject({
    display_name: 'Zoë',
    pronouns: null,
    status: 'active',
  })
})

test('a patch changes only what it names', () => {
  expect(clientPatchSchema.parse({ phone: '555' })).toEqual({ phone: '555' })
})

test('a time zone the runtime does not know is refused', () => {
  const [schema, sample] = samples['session']!
  expect(schema.safeParse({ ...sample, time_zone: 'Mars/Olympus' }).success).toBe(false)
})
