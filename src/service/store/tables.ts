import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { ModelTask } from '#contract/model/speech-model.ts'
import type { Guarded, Sealed, SealedBytesOrNull, SealedText, SealedTextOrNull } from './sealed.ts'

export interface RecordColumns {
  id: string
  practice_id: string
  body: SealedText
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface Tables {
  practices: {
    id: string
    name: string
    plan: 'free' | 'professional' | 'enterprise'
    created_at: string
    authority_version: Generated<number>
    last_change: Generated<number>
    work_steps: Generated<number>
    state: Generated<'open' | 'closed' | 'arriving' | 'removed'>
    moved_to: Generated<string | null>
    /** JSON list of base64 secrets from the stores the practice came from. Digests of its API keys may use them. */
    key_peppers: ColumnType<string | null, Sealed | null | undefined, Sealed | null>
  }
  api_keys: {
    id: string
    practice_id: string
    person_id: string
    name: string
    roles: string
    /** HMAC-SHA256 of the secret, in hex. The secret itself is not stored. */
    digest: string
    mode: 'live' | 'test'
    created_at: string
    expires_at: string | null
    rotated_at: string | null
    previous_digest: string | null
    grace_until: string | null
    revoked_at: string | null
    last_used_at: string | null
    renews_for_days: number | null
  }
  quota_days: { practice_id: string; day: string; used: number }
  refused_calls: {
    hour: string
    source: string
    reason: string
    calls: number
    last_at: string
  }
  clients: RecordColumns & {
    /** Lower case without diacritics; blind-indexed on PostgreSQL (see `searchWords`). */
    search_name: ColumnType<string, Guarded, Guarded>
    status: string
    clinician_id: string | null
  }
  sessions: RecordColumns & {
    client_id: string
    clinician_id: string | null
    room_id: string | null
    status: string
    starts_at: string
    ends_at: string
  }
  consents: RecordColumns & { client_id: string }
  transcripts: RecordColumns & {
    session_id: string | null
    duration_ms: number | null
    author_id: string | null
  }
  notes: RecordColumns & {
    session_id: string | null
    /** Null unless the status is `signed`, `awaiting_cosign`, `cosigned`, or `amended`. */
    signed_at: string | null
    client_id: string | null
    author_id: string | null
  }
  analyses: RecordColumns & { session_id: string | null; client_id: string | null; author_id: string | null }
  templates: RecordColumns
  staff: RecordColumns & { supervisor_id: string | null; status: 'active' | 'left' }
  break_glass: RecordColumns & {
    person_id: string
    client_id: string
    ends_at: string
    reviewed_at: string | null
  }
  reassignments: RecordColumns & { client_id: string; from_clinician_id: string | null }
  uploads: {
    id: string
    practice_id: string
    session_id: string | null
    recording_id: string | null
    media_type: string
    bytes: number
    content: SealedBytesOrNull
    created_at: string
    person_id: string | null
    sealed_key: Uint8Array | null
    sha256: string | null
    whole: 0 | 1
    operation_id: string | null
    expires_at: string | null
    erased_at: string | null
  }
  blobs_to_remove: { blob_id: string; practice_id: string; since: string }
  changes: {
    practice_id: string
    seq: number
    kind: string
    record_id: string
    version: number
    deleted: number
    at: string
  }
  operations: {
    id: string
    practice_id: string
    kind: 'transcribe' | 'generate-note' | 'analyze' | 'install-model' | 'verify-insurance'
    route: string
    status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
    progress: number
    payload: SealedTextOrNull
    agent: string
    result_kind: string | null
    result_id: string | null
    error_code: string | null
    error_detail: string | null
    attempts: number
    lease_owner: string | null
    lease_until: number
    created_at: string
    updated_at: string
  }
  operation_pieces: { operation_id: string; piece: number; answer: SealedText }
  operation_texts: { operation_id: string; practice_id: string; text: SealedText }
  models: {
    id: string
    name: string
    task: ModelTask
    kind: string | null
    languages: string
    origin: 'source' | 'import' | 'own'
    rank: number
    files: string
    chosen: 0 | 1
    installed_at: string
    self_test: string | null
    self_test_problem: string | null
  }
  model_installs: { operation_id: string; model_id: string }
  idempotency_keys: {
    practice_id: string
    person_id: string
    idempotency_key: string
    request_hash: string
    status: number
    record_kind: string
    record_id: string
    record_version: number
    created_at: string
  }
  audit_events: {
    practice_id: string
    seq: number
    recorded_at: string
    event: string
    previous: string
    hash: string
  }
  audit_heads: { practice_id: string; sealed: Uint8Array }
  voices: {
    practice_id: string
    person_id: string
    model_sha256: string
    heard_ms: number
    sealed: Uint8Array
    enrolled_at: string
  }
  psychotherapy_notes: {
    id: string
    practice_id: string
    author_id: string
    client_id: string
    session_id: string | null
    sealed: Uint8Array | null
    created_at: string
    updated_at: string
    version: number
  }
  note_versions: {
    practice_id: string
    note_id: string
    version: number
    kept_at: string
    body: SealedText
  }
  retention_policies: {
    practice_id: string
    transcript_days: 0 | 1 | 7 | 30 | null
    note_years: number
    version: number
    updated_at: string
    sweep_at: Generated<string>
  }
  legal_holds: RecordColumns & { client_id: string | null; is_released: 0 | 1 }
  erasures: RecordColumns
  rooms: RecordColumns
  availability: RecordColumns & {
    /** Null for closures of the practice or of a room. */
    clinician_id: string | null
  }
  schedule_proposals: {
    id: string
    practice_id: string
    person_id: string
    body: SealedText
    expires_at: string
    booked: string | null
  }
  series_sessions: {
    session_id: string
    practice_id: string
    series_id: string
    /** Local time in `time_zone`; stays the same when the zone's rules change. */
    wall: string
    time_zone: string
    /** Version of the time zone database that `starts_at` was computed with. */
    tz_version: string
    starts_at: string
  }
  session_clients: { session_id: string; client_id: string; practice_id: string }
  coverages: RecordColumns & {
    client_id: string | null
    author_id: string
    question: string
    is_answer: 0 | 1
    checked_at: string
    raw: SealedTextOrNull
    raw_type: string | null
  }
  authorisations: RecordColumns & { client_id: string; author_id: string }
  payers: RecordColumns & {
    payer_id: string
    /** Ids and names in lower case, each between `|` characters. */
    search: string
  }
}

export type Database = Kysely<Tables>
export type Write = Transaction<Tables>
