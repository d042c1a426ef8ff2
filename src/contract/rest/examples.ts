import { exampleIds as ids } from './example-ids.ts'
import type { OperationId, RouteBodyInput } from './routes.ts'

const signature = {
  by: 'Dana Reyes',
  credential: 'LCSW',
  at: '2026-11-24T16:10:00Z',
  method: 'click',
  content_hash: '3f0a377ba0a4a460ecb616f6507ce0d8cfa3e704025d4fda3ed0c5ca05468728',
} as const

const note = {
  session_id: ids.session,
  client_id: ids.client,
  template: 'soap',
  sections: [
    {
      key: 'plan',
      title: 'Plan',
      statements: [
        { id: 'p1', text: 'Keep a sleep diary until next week.', evidence: [], support: 'clinician_entered', origin: 'person' },
      ],
    },
  ],
  unsupported: [],
  omissions: [],
  checks: [],
  engine: { name: 'rules', version: '1', model: null },
} satisfies RouteBodyInput<'putNote'>

/** Examples of operations that are not among the ten published ones. */
const extensionExamples = {
  getOperation: { id: ids.operation },
  followOperation: { id: ids.operation },
  cancelOperation: { id: ids.operation },
  listChanges: { query: '?since=1&limit=2' },
  listTranscripts: { query: `?session_id=${ids.session}&limit=1` },
  getTranscript: { id: ids.transcript },
  putTranscript: {
    id: ids.storedTranscript,
    body: {
      session_id: ids.session,
      language: 'en',
      speakers: [
        { id: 'a', label: 'Dana Reyes', role: 'therapist' },
        { id: 'b', label: 'Maren', role: 'client' },
      ],
      segments: [
        { id: 's1', speaker_id: 'a', text: 'How did you sleep?' },
        { id: 's2', speaker_id: 'b', text: 'I wake at four.' },
      ],
    },
  },
  listAnalyses: { query: `?session_id=${ids.session}&limit=1` },
  getAnalysis: { id: ids.analysis },
  listNotes: { query: `?session_id=${ids.session}&limit=1` },
  getNote: { id: ids.note },
  putNote: { id: ids.note, headers: { 'If-Match': '"1"' }, body: note },
  signNote: { id: ids.note, headers: { 'If-Match': '"2"' }, body: signature },
  addAddendum: {
    id: ids.note,
    body: {
      id: ids.addendum,
      text: 'The next session was moved to Thursday.',
      reason: 'The client called after the session.',
      by: 'Dana Reyes',
      at: '2026-11-25T09:00:00Z',
      content_hash: '9b74c9897bac770ffc029102a200c5de3a9f4e5b6c7d8e9fa0b1c2d3e4f50617',
    },
  },
  enterInError: {
    id: ids.note,
    headers: { 'If-Match': '"4"' },
    body: { reason: 'Written for another client.', by: 'Dana Reyes' },
  },
  createStaff: {
    body: { id: ids.clinician, name: 'Jo Lind', roles: ['clinician'], credential: 'LPC', licence_states: ['IL'] },
  },
  listStaff: { query: '?status=active' },
  getStaff: { id: ids.clinician },
  updateStaff: { id: ids.clinician, headers: { 'If-Match': '"1"' }, body: { supervisor_id: ids.supervisor } },
  returnNote: {
    id: ids.cosignedNote,
    headers: { 'If-Match': '"2"' },
    body: { reason: 'Add the plan for next week.', by: 'Dana Reyes' },
  },
  listNoteVersions: { id: ids.cosignedNote },
  cosignNote: { id: ids.cosignedNote, headers: { 'If-Match': '"4"' }, body: signature },
  putRoom: { id: ids.room, body: { name: 'Room 2', capacity: 3, time_zone: 'America/Chicago' } },
  listRooms: {},
  getRoom: { id: ids.room },
  putAvailability: {
    id: ids.hours,
    body: {
      kind: 'hours',
      clinician_id: ids.clinician,
      time_zone: 'America/Chicago',
      weekly: [{ day: 'TU', from: '09:00', to: '17:00' }],
    },
  },
  listAvailability: { query: `?clinician_id=${ids.clinician}` },
  getAvailability: { id: ids.hours },
  updateFollowing: { id: ids.series, headers: { 'If-Match': '"1"' }, body: { modality: 'video' } },
  createUpload: { body: { recording_id: ids.recording, media_type: 'audio/ogg' } },
  endUpload: { id: ids.secondUpload, headers: { 'Tus-Resumable': '1.0.0' } },
  putTemplate: {
    id: ids.template,
    body: { name: 'Short note', sections: [{ key: 'summary', title: 'Summary', holds: ['said', 'plan'] }] },
  },
  listTemplates: {},
  getTemplate: { id: ids.template },
  putPayer: { id: ids.payer, body: { payer_id: '87726', name: 'UnitedHealthcare', typed_names: ['UHC'] } },
  listPayers: { query: '?q=united' },
  getPayer: { id: ids.payer },
  createAuthorisation: {
    body: {
      id: ids.authorization,
      client_id: ids.client,
      payer_id: '87726',
      number: 'A-1041',
      visits_approved: 12,
      starts_on: '2026-11-01',
      ends_on: '2027-04-30',
    },
  },
  listAuthorisations: { query: `?client_id=${ids.client}` },
  getAuthorisation: { id: ids.authorization },
  updateAuthorisation: { id: ids.authorization, headers: { 'If-Match': '"1"' }, body: { visits_approved: 20 } },
  listCoverage: { query: '?limit=1' },
  getCoverage: { id: ids.coverage },
  getRawCoverage: { id: ids.coverage },
  putPsychotherapyNote: {
    id: ids.psychotherapyNote,
    body: { client_id: ids.client, session_id: ids.session, text: 'What I make of the pause before the answer.' },
  },
  listPsychotherapyNotes: { query: `?client_id=${ids.client}` },
  getPsychotherapyNote: { id: ids.psychotherapyNote },
  deletePsychotherapyNote: { id: ids.psychotherapyNote, headers: { 'If-Match': '"1"' } },
  getVoice: {},
  putVoice: { body: { audio: { content: 'UklGRiQAAABXQVZFZm10IA==', media_type: 'audio/wav' } } },
  deleteVoice: {},
  breakGlass: {
    body: { id: ids.emergency, client_id: ids.client, reason: 'Client called in crisis, clinician away.', purpose: 'ETREAT' },
  },
  listBreakGlass: { query: '?review=open' },
  reviewBreakGlass: { id: ids.emergency, body: { outcome: 'justified', comment: 'Discussed with Jo.' } },
  listReassignments: {},
  createApiKey: { body: { name: 'Front desk computer', roles: ['front_desk'] } },
  listApiKeys: { query: '?limit=1' },
  rotateApiKey: { id: ids.apiKey, body: { grace_minutes: 60 } },
  revokeApiKey: { id: ids.apiKey },
  getRetention: {},
  putRetention: { headers: { 'If-Match': '"1"' }, body: { transcript_days: 30, note_years: 7 } },
  placeLegalHold: { body: { id: ids.hold, client_id: ids.client, reason: 'Subpoena 26-118.' } },
  listLegalHolds: {},
  releaseLegalHold: { id: ids.hold },
  eraseRecord: {
    body: { id: ids.erasure, record_kind: 'analysis', record_id: ids.analysis, reason: 'Made of the wrong transcript.' },
  },
  listErasures: {},
  listAuditEvents: { query: '?operation=createClient&limit=1' },
  exportAuditEvents: { query: '?operation=createClient&format=ndjson' },
  revokeConsent: { id: ids.consent, body: { revoked_at: '2026-11-25T10:00:00Z' } },
  listModels: { query: '?language=en' },
  installModel: { id: 'silero-vad', body: { mirror: null } },
  importModels: { body: { paths: ['/srv/models'] } },
  chooseModel: { id: 'silero-vad' },
  testModel: { id: 'silero-vad' },
  removeModel: { id: 'silero-vad' },
} satisfies Partial<Examples<OperationId>>

/** An example call about invented people. `id` replaces `{id}` in the path. */
export interface Example<Id extends OperationId = OperationId> {
  readonly id?: string
  /** The query string, including `?`. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RouteBodyInput<Id>
}

type Examples<Ids extends OperationId> = { readonly [Id in Ids]: Example<Id> }

const transcript = 'Therapist: How did you sleep?\nMaren: I wake at four and cannot fall asleep again.'

/** The order matters: a test sends all calls to one new service in turn and compares the answers with `example-answers.json`. */
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
