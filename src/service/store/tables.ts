import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { CoverageTables } from './coverages.ts'
import type { BreakGlassTable, ReassignmentTable } from './notices.ts'
import type { ScheduleTables } from './schedule.ts'
import type { ModelInstallTable, ModelTable } from './models.ts'
import type { VoiceTable } from './voices.ts'
import type { Guarded, Sealed, SealedBytesOrNull, SealedText, SealedTextOrNull } from './sealed.ts'

/** Columns of every record; `body` holds the other fields as sealed JSON. Times are RFC 3339 with milliseconds. */
export interface RecordColumns {
  id: string
  practice_id: string
  body: SealedText
  created_at: string
  updated_at: string
  version: number
  /** Set when the record was erased; `body` is then `{}`. */
  deleted_at: string | null
}

interface PracticeTable {
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

export interface ApiKeyTable {
  id: string
  practice_id: string
  person_id: string
  name: string
  roles: string
  /** HMAC-SHA256, hex. The key itself is never stored. */
  digest: string
  mode: 'live' | 'test'
  created_at: string
  expires_at: string | null
  rotated_at: string | null
  previous_digest: string | null
  grace_until: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** Days from a rotation to the new expiry; null leaves `expires_at` unchanged. */
  renews_for_days: number | null
}

interface QuotaDayTable {
  practice_id: string
  day: string
  used: number
}

interface RefusedCallTable {
  hour: string
  source: string
  reason: string
  calls: number
  last_at: string
}

interface ClientTable extends RecordColumns {
  /** Lower case without diacritics; blind-indexed on PostgreSQL (see `searchWords`). */
  search_name: ColumnType<string, Guarded, Guarded>
  status: string
  clinician_id: string | null
}

interface SessionTable extends RecordColumns {
  client_id: string
  clinician_id: string | null
  room_id: string | null
  status: string
  starts_at: string
  ends_at: string
}

interface ConsentTable extends RecordColumns {
  client_id: string
}

interface TranscriptTable extends RecordColumns {
  session_id: string | null
  duration_ms: number | null
  /** Null for transcripts from before authors were recorded. */
  author_id: string | null
}

interface NoteTable extends RecordColumns {
  session_id: string | null
  /** Null unless the note is signed: drafts, returned notes, and notes entered in error. */
  signed_at: string | null
  client_id: string | null
  author_id: string | null
}

interface AnalysisTable extends RecordColumns {
  session_id: string | null
  client_id: string | null
  author_id: string | null
}

interface StaffTable extends RecordColumns {
  supervisor_id: string | null
  status: 'active' | 'left'
}

interface UploadTable {
  id: string
  practice_id: string
  session_id: string | null
  /** The recording that holds the audio; otherwise `content` or a blob holds it. */
  recording_id: string | null
  /** Empty until the first bytes show the type. */
  media_type: string
  bytes: number
  content: SealedBytesOrNull
  created_at: string
  /** The person who uploads it; null for audio sent with a call or audio that is a recording. */
  person_id: string | null
  /** Wrapped key of the blob with the same id; null if there is no blob or it was erased. */
  sealed_key: Uint8Array | null
  sha256: string | null
  whole: 0 | 1
  operation_id: string | null
  expires_at: string | null
  erased_at: string | null
}

interface BlobToRemoveTable {
  blob_id: string
  practice_id: string
  since: string
}

interface ChangeTable {
  practice_id: string
  seq: number
  kind: string
  record_id: string
  version: number
  deleted: number
  at: string
}

export interface OperationTable {
  id: string
  practice_id: string
  kind: 'transcribe' | 'generate-note' | 'analyze' | 'install-model' | 'verify-insurance'
  route: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  progress: number
  /** Input as JSON; null once the operation is over, unless a failed transcription can be retried. */
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

interface OperationPieceTable {
  operation_id: string
  piece: number
  answer: SealedText
}

interface IdempotencyTable {
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

interface AuditTable {
  practice_id: string
  seq: number
  recorded_at: string
  event: string
  previous: string
  hash: string
}

interface AuditHeadTable {
  practice_id: string
  sealed: Uint8Array
}

interface PsychotherapyNoteTable {
  id: string
  practice_id: string
  author_id: string
  client_id: string
  session_id: string | null
  /** Kind and text, AES-256-GCM with a separate key; null if the author erased it. */
  sealed: Uint8Array | null
  created_at: string
  updated_at: string
  version: number
}

interface NoteVersionTable {
  practice_id: string
  note_id: string
  version: number
  kept_at: string
  body: SealedText
}

interface RetentionPolicyTable {
  practice_id: string
  transcript_days: 0 | 1 | 7 | 30 | null
  note_years: number
  version: number
  updated_at: string
  sweep_at: Generated<string>
}

interface LegalHoldTable extends RecordColumns {
  client_id: string | null
  is_released: 0 | 1
}

export interface Tables extends ScheduleTables, CoverageTables {
  practices: PracticeTable
  api_keys: ApiKeyTable
  quota_days: QuotaDayTable
  refused_calls: RefusedCallTable
  clients: ClientTable
  sessions: SessionTable
  consents: ConsentTable
  transcripts: TranscriptTable
  notes: NoteTable
  analyses: AnalysisTable
  templates: RecordColumns
  staff: StaffTable
  break_glass: BreakGlassTable
  reassignments: ReassignmentTable
  uploads: UploadTable
  blobs_to_remove: BlobToRemoveTable
  changes: ChangeTable
  operations: OperationTable
  operation_pieces: OperationPieceTable
  operation_texts: { operation_id: string; practice_id: string; text: SealedText }
  models: ModelTable
  model_installs: ModelInstallTable
  idempotency_keys: IdempotencyTable
  audit_events: AuditTable
  audit_heads: AuditHeadTable
  voices: VoiceTable
  psychotherapy_notes: PsychotherapyNoteTable
  note_versions: NoteVersionTable
  retention_policies: RetentionPolicyTable
  legal_holds: LegalHoldTable
  erasures: RecordColumns
}

export type Database = Kysely<Tables>
/** An open write transaction. What it has read stays valid until it commits. */
export type Write = Transaction<Tables>
