import { createHash } from 'node:crypto'
import { newId } from '#base/ids.ts'
import type { Note } from '#contract/model/note.ts'
import { canonicalAddendum, canonicalNote } from '#domain/canonical-note.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { wavOf } from '../sound.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

/** One call about the records of one client, and what it answers where it may. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly allowed: number
  /** Where it is about others alone. */
  readonly own?: 'forbidden'
}

const changing = { 'If-Match': '*' }
const atOnce = { Prefer: 'respond-async' }
const engine = { name: 'import', version: '1', model: null }
const later = '2026-02-01T00:00:00.000Z'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const emptyNote = {
  template: 'soap' as const,
  sections: [],
  unsupported: [],
  omissions: [],
  checks: [],
  engine,
}
const sound = { content: wavOf(1), media_type: 'audio/wav' }
let hour = 0

function aSlot(): string {
  hour += 1
  return new Date(Date.UTC(2027, 0, 4) + hour * 3_600_000).toISOString()
}

function addendum() {
  const written = { id: newId(), text: 'more', reason: 'more', by: 'Me', at: later }
  return { ...written, content_hash: sha256(canonicalAddendum(written, '0'.repeat(64))) }
}

const signature = (note: Note) => ({
  by: 'Me',
  credential: null,
  at: later,
  method: 'click',
  content_hash: sha256(canonicalNote(note)),
})

/** In this order: what changes a record for those after it stands last. `note`: the draft that is to be signed, as stored. */
export const recipes: Partial<Record<OperationId, (of: RecordsOfClient, note: Note) => Asked>> = {
  getClient: ({ client }) => ({ params: { id: client }, allowed: 200 }),
  updateClient: ({ client }) => ({ params: { id: client }, body: { phone: '1' }, headers: changing, allowed: 200 }),
  createSession: ({ client }) => ({
    body: { client_id: client, session_type: 'individual', starts_at: aSlot(), duration_minutes: 50 },
    allowed: 201,
  }),
  getSession: ({ session }) => ({ params: { id: session }, allowed: 200 }),
  updateSession: ({ session }) => ({ params: { id: session }, body: { modality: 'video' }, headers: changing, allowed: 200 }),
  giveConsent: ({ client }) => ({
    body: {
      client_id: client,
      participant: { name: 'A', role: 'partner' },
      scopes: ['record'],
      text_version: '1',
      method: 'spoken',
      given_at: later,
    },
    allowed: 201,
  }),
  getTranscript: ({ transcript }) => ({ params: { id: transcript }, allowed: 200 }),
  putTranscript: ({ transcript, session }) => ({
    params: { id: transcript },
    body: { session_id: session, language: null, duration_ms: null, speakers: [], segments: [], engine },
    headers: changing,
    allowed: 200,
  }),
  transcribe: ({ session }) => ({ body: { audio: sound, session_id: session }, headers: atOnce, allowed: 503 }),
  transcribeWithSpeakers: ({ session }) => ({ body: { audio: sound, session_id: session }, headers: atOnce, allowed: 503 }),
  analyze: ({ transcript }) => ({ body: { transcript_id: transcript }, headers: atOnce, allowed: 202 }),
  getAnalysis: ({ analysis }) => ({ params: { id: analysis }, allowed: 200 }),
  generateNote: ({ session, client }) => ({
    body: { session_id: session, client_id: client, transcript: 'A: I slept.', template: 'soap' },
    headers: atOnce,
    allowed: 202,
  }),
  generateNoteFromData: ({ client }) => ({
    body: {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: ['sleep'],
      interventions: ['listening'],
      client_response: 'calm',
      client_id: client,
    },
    allowed: 201,
  }),
  getNote: ({ note }) => ({ params: { id: note }, allowed: 200 }),
  putNote: ({ note, session, client }) => ({
    params: { id: note },
    body: { session_id: session, client_id: client, ...emptyNote },
    headers: changing,
    allowed: 200,
  }),
  listNoteVersions: ({ note }) => ({ params: { id: note }, allowed: 200 }),
  signNote: ({ toSign }, note) => ({ params: { id: toSign }, body: signature(note), headers: changing, allowed: 200 }),
  addAddendum: (of) => ({ params: { id: of.signed }, body: addendum(), allowed: 200 }),
  // No note of these waits for a supervisor.
  cosignNote: ({ note }, whole) => ({
    params: { id: note },
    body: signature(whole),
    headers: changing,
    allowed: 409,
    own: 'forbidden',
  }),
  returnNote: ({ note }) => ({
    params: { id: note },
    body: { by: 'Me', reason: 'why' },
    headers: changing,
    allowed: 409,
    own: 'forbidden',
  }),
  enterInError: (of) => ({ params: { id: of.signed }, body: { by: 'Me', reason: 'why' }, headers: changing, allowed: 200 }),
  // Nobody is asked where no gateway is set up; whose client it is comes first.
  verifyInsurance: ({ client }) => ({ body: { client_id: client, payer_id: 'P1' }, headers: atOnce, allowed: 503 }),
  getCoverage: ({ coverage }) => ({ params: { id: coverage }, allowed: 200 }),
  getRawCoverage: ({ coverage }) => ({ params: { id: coverage }, allowed: 200 }),
  getAuthorisation: ({ authorisation }) => ({ params: { id: authorisation }, allowed: 200 }),
  createAuthorisation: ({ client }) => ({
    body: { client_id: client, payer_id: 'P1', number: 'A-2', starts_on: '2026-01-01' },
    allowed: 201,
  }),
  updateAuthorisation: ({ authorisation }) => ({
    params: { id: authorisation },
    body: { number: 'A-3' },
    headers: changing,
    allowed: 200,
  }),
  updateFollowing: ({ session }) => ({
    params: { id: session },
    body: { modality: 'phone' },
    headers: changing,
    // These are of no series.
    allowed: 409,
  }),
  schedule: ({ client }) => ({
    body: {
      mode: 'check',
      request: { client_ids: [client], type: 'individual', duration_minutes: 50, start: '2028-01-04T10:00:00', tzid: 'UTC' },
    },
    allowed: 200,
  }),
  putPsychotherapyNote: ({ client }) => ({
    params: { id: newId() },
    body: { client_id: client, text: 'mine alone' },
    allowed: 201,
  }),
  revokeConsent: ({ consent }) => ({ params: { id: consent }, body: { revoked_at: later }, allowed: 200 }),
}

/** Lists, and which record of a client each holds. */
export const lists: Partial<Record<OperationId, (of: RecordsOfClient) => readonly string[]>> = {
  listClients: ({ client }) => [client],
  listSessions: ({ session }) => [session],
  listConsents: ({ consent }) => [consent],
  listTranscripts: ({ transcript }) => [transcript],
  listNotes: ({ note, toSign, signed }) => [note, toSign, signed],
  listAnalyses: ({ analysis }) => [analysis],
  listCoverage: ({ coverage }) => [coverage],
  listAuthorisations: ({ authorisation }) => [authorisation],
}

/** Operations that are about no client's records, or about the caller's own; each is looked at beside what it is of. */
export const aboutNoClient: readonly OperationId[] = [
  'describeService',
  'whoAmI',
  'createClient',
  'readAnalytics',
  'listRooms',
  'getRoom',
  'putRoom',
  'listAvailability',
  'getAvailability',
  'putAvailability',
  'createUpload',
  'beginUpload',
  'sendUpload',
  'getUpload',
  'endUpload',
  'getOperation',
  'cancelOperation',
  'followOperation',
  'listChanges',
  'listModels',
  'installModel',
  'importModels',
  'chooseModel',
  'testModel',
  'removeModel',
  'listTemplates',
  'getTemplate',
  'putTemplate',
  'getVoice',
  'putVoice',
  'deleteVoice',
  'listApiKeys',
  'createApiKey',
  'rotateApiKey',
  'revokeApiKey',
  'listAuditEvents',
  'exportAuditEvents',
  'listPayers',
  'getPayer',
  'putPayer',
  'listPsychotherapyNotes',
  'getPsychotherapyNote',
  'deletePsychotherapyNote',
  'getRetention',
  'putRetention',
  'listLegalHolds',
  'placeLegalHold',
  'releaseLegalHold',
  'listErasures',
  'eraseRecord',
  'listStaff',
  'getStaff',
  'createStaff',
  'updateStaff',
  'breakGlass',
  'listBreakGlass',
  'reviewBreakGlass',
  'listReassignments',
]
