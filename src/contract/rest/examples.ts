import type { OperationId } from './routes.ts'

const ids = {
  client: '0199b2a4-6c10-7c3e-9a51-1f0e5d2b7a01',
  session: '0199b2a4-8f2d-7b44-8e0c-6a9d3c4e5b02',
  upload: '0199b2a5-01aa-7d19-b3f6-2c8e7f905d03',
}

interface Example {
  /** What follows the address. */
  readonly query?: string
  readonly body?: unknown
}

/** Calls as they are sent, of invented people; each is held against its schema by a test. */
export const examples: Partial<Record<OperationId, Example>> = {
  listClients: { query: '?status=active&limit=20' },
  createClient: { body: { display_name: 'Maren Voss', pronouns: 'she/her', email: 'maren@client.example' } },
  createSession: {
    body: {
      client_id: ids.client,
      session_type: 'individual',
      starts_at: '2026-11-24T09:00:00Z',
      duration_minutes: 50,
      modality: 'in_person',
      time_zone: 'Europe/Berlin',
    },
  },
  generateNoteFromData: {
    body: {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: ['Wakes at four and cannot sleep again'],
      interventions: ['Sleep diary', 'Worry time in the afternoon'],
      client_response: 'Wants to try the diary until next week.',
    },
  },
  generateNote: {
    body: {
      session_id: ids.session,
      client_id: ids.client,
      template: 'soap',
      transcript: 'Therapist: How did you sleep?\nMaren: I wake at four and lie there.',
    },
  },
  transcribe: { body: { audio: { upload_id: ids.upload }, language: 'en' } },
  transcribeWithSpeakers: {
    body: { audio: { upload_id: ids.upload }, session_id: ids.session, language: 'en', speakers: { min: 2, max: 2 } },
  },
  analyze: {
    body: { session_id: ids.session, transcript: 'Therapist: How did you sleep?\nMaren: I wake at four and lie there.' },
  },
  schedule: {
    body: {
      mode: 'propose',
      request: { client_ids: [ids.client], type: 'individual', duration_minutes: 50, tzid: 'Europe/Berlin' },
      window: { from: '2026-11-23T08:00:00', to: '2026-11-27T18:00:00' },
    },
  },
  verifyInsurance: { body: { client_id: ids.client, payer_id: '60054', service_date: '2026-11-24' } },
  readAnalytics: { query: '?from=2026-10-01&to=2026-11-01&group_by=week&time_zone=Europe/Berlin' },
}
