import { newId } from '#base/ids.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Client } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { insertAnalysis } from '#service/store/analyses.ts'
import type { KeptAuthorisation } from '#service/store/coverages.ts'
import { insertAuthorisation, insertCoverage } from '#service/store/coverages.ts'
import { insertClient, insertConsent } from '#service/store/clients.ts'
import { insertNote } from '#service/store/notes.ts'
import { newRecord } from '#service/store/records.ts'
import { insertSession } from '#service/store/sessions.ts'
import type { Write } from '#service/store/tables.ts'
import { insertTranscript } from '#service/store/transcripts.ts'

/** Ids of everything there is of one client. */
export interface RecordsOfClient {
  readonly client: string
  readonly session: string
  readonly consent: string
  readonly transcript: string
  /** A draft, for every look and change. */
  readonly note: string
  /** Another draft, to be signed. */
  readonly toSign: string
  readonly signed: string
  readonly analysis: string
  /** What a payer said, with the answer as it came. */
  readonly coverage: string
  readonly authorisation: string
}

/** Words that stand nowhere but in one field each. */
export const canaries = {
  display_name: 'Quincy Zephyrine',
  date_of_birth: '1971-03-09',
  phone: '+1 555 0142 777',
  diagnosis: 'F43.10-zanthic',
  goal: 'gardening-on-mondays',
  vocabulary: 'Okavangowort',
  member_id: 'XK-99182-Q',
  concern: 'wakes at three with dread',
  transcript: 'the lighthouse was never lit',
  note: 'reports crying in the pantry',
  addendum: 'corrected the pantry',
  signer: 'Dr Umbra Fellwright',
  analysis: 'talk of the lighthouse',
} as const

const long_ago = '2026-01-01T00:00:00.000Z'
let hour = 0

/** Stored as the service itself would have stored it. */
export async function insertRecords(write: Write, practice: string, clinician_id: string | null): Promise<RecordsOfClient> {
  const author = clinician_id ?? newId()
  const client = aClient(clinician_id)
  const session = aSession(client)
  await insertClient(write, practice, client)
  await insertSession(write, practice, session)
  const consent: Consent = {
    ...newRecord(newId(), long_ago),
    client_id: client.id,
    participant: { name: canaries.display_name, role: 'client' },
    scopes: ['record', 'transcribe', 'draft', 'analyze'],
    text_version: '1',
    language: 'en',
    method: 'spoken',
    given_at: long_ago,
    witness: null,
    revoked_at: null,
  }
  await insertConsent(write, practice, consent)
  const transcript = aTranscript(session.id)
  await insertTranscript(write, practice, transcript, author)
  const notes = [aNote(session), aNote(session), signed(aNote(session))]
  for (const note of notes) await insertNote(write, practice, note, author)
  const analysis = anAnalysis(session)
  await insertAnalysis(write, practice, analysis, author)
  const coverage = aCoverage(client.id)
  const asked = { author_id: author, question: 'q', is_answer: true, raw: { text: '{}', media_type: 'application/json' } }
  await insertCoverage(write, practice, coverage, asked)
  const authorisation = anAuthorisation(client.id)
  await insertAuthorisation(write, practice, authorisation, author)
  const [note, toSign, last] = notes.map(({ id }) => id)
  return {
    client: client.id,
    session: session.id,
    consent: consent.id,
    transcript: transcript.id,
    note: note!,
    toSign: toSign!,
    signed: last!,
    analysis: analysis.id,
    coverage: coverage.id,
    authorisation: authorisation.id,
  }
}

function aClient(clinician_id: string | null): Client {
  return {
    ...newRecord(newId(), long_ago),
    display_name: canaries.display_name,
    given_name: null,
    family_name: null,
    pronouns: null,
    date_of_birth: canaries.date_of_birth,
    email: null,
    phone: canaries.phone,
    status: 'active',
    clinician_id,
    diagnoses: [{ code: canaries.diagnosis, description: canaries.diagnosis }],
    insurance: { payer_id: 'P1', payer_name: 'Payer', member_id: canaries.member_id, group_number: null, relationship: 'self' },
    goals: [canaries.goal],
    vocabulary: [canaries.vocabulary],
  }
}

/** Each an hour after the one before, so that none is booked twice. */
export function aSession(client: Pick<Client, 'id' | 'clinician_id'>): Session {
  hour += 1
  const at = Date.UTC(2026, 0, 5) + hour * 3_600_000
  return {
    ...newRecord(newId(), long_ago),
    client_id: client.id,
    clinician_id: client.clinician_id,
    session_type: 'individual',
    modality: 'in_person',
    status: 'scheduled',
    starts_at: new Date(at).toISOString(),
    ends_at: new Date(at + 50 * 60_000).toISOString(),
    time_zone: 'UTC',
    duration_minutes: 50,
    room_id: null,
    cpt_code: '90834',
    presenting_concerns: [canaries.concern],
    participants: [],
    series_id: null,
    occurrence_start: null,
    recurrence: null,
    started_at: null,
    finished_at: null,
  }
}

const engine = { name: 'import', version: '1', model: null }

function aTranscript(session_id: string): Transcript {
  const said = {
    id: 's1',
    speaker_id: null,
    start_ms: null,
    end_ms: null,
    text: canaries.transcript,
    confidence: null,
    edited: false,
  }
  return {
    ...newRecord(newId(), long_ago),
    session_id,
    language: 'en',
    duration_ms: null,
    speakers: [],
    segments: [said],
    engine,
  }
}

function aNote({ id, client_id }: Session): Note {
  const statement = {
    id: 'a',
    text: canaries.note,
    evidence: [] as Note['sections'][number]['statements'][number]['evidence'],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: null,
  } as const
  return {
    ...newRecord(newId(), long_ago),
    session_id: id,
    client_id,
    template: 'soap',
    sections: [{ key: 'S', title: 'Subjective', statements: [statement] }],
    unsupported: [],
    omissions: [],
    checks: [],
    engine,
    status: 'draft',
    signature: null,
    addenda: [],
  }
}

function signed(note: Note): Note {
  const content_hash = '0'.repeat(64)
  const signature = { by: canaries.signer, credential: null, at: long_ago, method: 'click', content_hash } as const
  const addendum = {
    id: newId(),
    text: canaries.addendum,
    reason: canaries.addendum,
    by: canaries.signer,
    at: long_ago,
    content_hash,
  }
  return { ...note, status: 'amended', signature, addenda: [addendum] }
}

export function anAnalysis({ id, client_id }: Session): Analysis {
  return {
    ...newRecord(newId(), long_ago),
    session_id: id,
    client_id,
    summary: canaries.analysis,
    topics: [],
    interventions: [],
    goals: [],
    risk_cues: [],
    talk_ratio: null,
    insights: [],
    recommendations: [],
    behaviours: null,
    pace: [],
    silence: null,
    changes: null,
    homework: [],
    next_questions: [],
    engine,
  }
}

function aCoverage(client_id: string): StoredCoverage {
  const record = newRecord(newId(), long_ago)
  const costs = { copay: null, coinsurance_percent: null, deductible: null, out_of_pocket: null }
  const unknown = { covered: 'unknown', authorization_required: 'unknown', telehealth_covered: 'unknown' } as const
  return {
    ...record,
    eligibility_id: record.id,
    status: 'unknown',
    checked_at: long_ago,
    source: 'live',
    client_id,
    payer: { id: 'P1', name: 'Payer' },
    plan: null,
    mental_health: { ...unknown, network: 'unknown', ...costs, visit_limit: null },
    patient_estimate: null,
    benefits: [],
    errors: [],
  }
}

function anAuthorisation(client_id: string): KeptAuthorisation {
  const visits = { visits_approved: 4, visits_used_before: 0, cpt_codes: [], cancelled: false }
  const days = { starts_on: '2026-01-01', ends_on: null }
  return { ...newRecord(newId(), long_ago), client_id, payer_id: 'P1', number: 'A-1', ...visits, ...days }
}
