import { extensionExamples } from './examples-extensions.ts'
import { exampleIds as ids } from './example-ids.ts'
import type { OperationId, RouteBodyInput } from './routes.ts'

/** A call as it is sent, of invented people. `{id}` in the path is `id`. */
export interface Example<Id extends OperationId = OperationId> {
  readonly id?: string
  /** What follows the address. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RouteBodyInput<Id>
}

export type Examples<Ids extends OperationId> = { readonly [Id in Ids]: Example<Id> }

const transcript = 'Therapist: How did you sleep?\nMaren: I wake at four and cannot fall asleep again.'

/** In an order in which a service answers all of them; a test sends each one and checks the answer's example. */
export const examples: Examples<OperationId> = {
  describeService: {},
  whoAmI: {},
  createClient: {
    body: {
      id: ids.client,
      display_name: 'Maren Voss',
      pronouns: 'she/her',
      email: 'maren@client.example',
      diagnoses: [{ code: 'F51.01', description: 'Primary insomnia' }],
    },
  },
  listClients: { query: '?status=active&limit=20' },
  getClient: { id: ids.client },
  updateClient: { id: ids.client, headers: { 'If-Match': '"1"' }, body: { phone: '+1 312 555 0142' } },
  createSession: {
    body: {
      id: ids.session,
      client_id: ids.client,
      session_type: 'individual',
      starts_at: '2026-11-24T15:00:00Z',
      duration_minutes: 50,
      modality: 'in_person',
      time_zone: 'America/Chicago',
    },
  },
  listSessions: { query: `?client_id=${ids.client}` },
  getSession: { id: ids.session },
  updateSession: { id: ids.session, headers: { 'If-Match': '"1"' }, body: { cpt_code: '90834' } },
  giveConsent: {
    body: {
      id: ids.consent,
      client_id: ids.client,
      participant: { name: 'Maren Voss', role: 'client' },
      scopes: ['record', 'transcribe', 'draft', 'analyze'],
      text_version: '2026-10',
      method: 'spoken',
      given_at: '2026-11-24T14:55:00Z',
    },
  },
  listConsents: { query: `?client_id=${ids.client}` },
  beginUpload: {
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '32044',
      'Upload-Metadata': 'session_id MDE5OWIyYTQtOGYyZC03YjQ0LThlMGMtNmE5ZDNjNGU1YjAy',
    },
  },
  sendUpload: {
    id: ids.upload,
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
  },
  getUpload: { id: ids.upload },
  transcribe: { body: { audio: { upload_id: ids.upload }, session_id: ids.session, language: 'en' } },
  transcribeWithSpeakers: {
    body: { audio: { upload_id: ids.secondUpload }, session_id: ids.session, language: 'en', speakers: { min: 2, max: 2 } },
  },
  generateNote: { body: { session_id: ids.session, client_id: ids.client, template: 'soap', transcript } },
  generateNoteFromData: {
    body: {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: ['Wakes at four and cannot fall asleep again'],
      interventions: ['Sleep diary', 'Worry time in the afternoon'],
      client_response: 'Wants to keep the diary until next week.',
      client_id: ids.client,
    },
  },
  analyze: { body: { session_id: ids.session, client_id: ids.client, transcript, goals: ['Sleep through the night'] } },
  schedule: {
    body: {
      mode: 'propose',
      request: {
        client_ids: [ids.client],
        type: 'individual',
        duration_minutes: 50,
        start: '2026-12-01T09:00:00',
        tzid: 'America/Chicago',
      },
      window: { from: '2026-11-30T08:00:00', to: '2026-12-04T18:00:00' },
    },
  },
  verifyInsurance: {
    body: {
      payer_id: 'AWSANDBOX',
      subscriber: { member_id: 'AWTEST-ACTIVE', given_name: 'Sam', family_name: 'Sandbox', date_of_birth: '1990-01-01' },
    },
  },
  readAnalytics: { query: '?from=2026-11-01&to=2026-11-30&group_by=month&time_zone=America/Chicago' },
  ...extensionExamples,
}
