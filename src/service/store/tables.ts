import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { CoverageTables } from './coverage-tables.ts'
import type { BreakGlassTable, ReassignmentTable } from './notice-tables.ts'
import type { ScheduleTables } from './schedule-tables.ts'
import type { ModelInstallTable, ModelTable, VoiceTable } from './model-tables.ts'
import type { Guarded, Sealed, SealedBytesOrNull, SealedText, SealedTextOrNull } from './sealed.ts'

/** Every record: who it belongs to, what lists sort by, and its fields as JSON in `body`. Times are RFC 3339 with milliseconds. */
export interface RecordColumns {
  id: string
  practice_id: string
  body: SealedText
  created_at: string
  updated_at: string
  version: number
  /** Set where it was erased; `body` is then '{}'. */
  deleted_at: string | null
}

interface PracticeTable {
  id: string
  name: string
  plan: 'free' | 'professional' | 'enterprise'
  created_at: string
  /** Moves with whatever changes what callers may; see migration 14. */
  authority_version: Generated<number>
  /** Number of the last row of `changes`; see migration 18. */
  last_change: Generated<number>
  /** Moves with every step of long work. */
  work_steps: Generated<number>
  /** Calls are answered only where it is open. */
  state: Generated<'open' | 'closed' | 'arriving' | 'removed'>
  /** Address of the service that answers for it now, where the operator named it. */
  moved_to: Generated<string | null>
  /** JSON list, base64: peppers of the stores it came from, with which digests of its keys may have been made. */
  key_peppers: ColumnType<string | null, Sealed | null | undefined, Sealed | null>
}

export interface ApiKeyTable {
  id: string
  practice_id: string
  person_id: string
  name: string
  /** JSON list of roles. */
  roles: string
  /** HMAC-SHA256, hex; the key itself is nowhere. */
  digest: string
  mode: 'live' | 'test'
  created_at: string
  expires_at: string | null
  rotated_at: string | null
  /** The secret before the last rotation, good until `grace_until`. */
  previous_digest: string | null
  grace_until: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** Days that each rotation makes it good for; null: as long as `expires_at` said once. */
  renews_for_days: number | null
}

interface QuotaDayTable {
  practice_id: string
  /** UTC, `YYYY-MM-DD`. */
  day: string
  used: number
}

/** Calls refused before anybody knew whose they were, counted by the hour. */
interface RefusedCallTable {
  /** UTC, `YYYY-MM-DDTHH`. */
  hour: string
  source: string
  reason: string
  calls: number
  last_at: string
}

interface ClientTable extends RecordColumns {
  /** Lower case, without marks, for searching; hidden where the store is not encrypted. */
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
  /** Of its sound; null where that is not known. */
  duration_ms: number | null
  /** Null for what was made before authors were kept. */
  author_id: string | null
}

interface NoteTable extends RecordColumns {
  session_id: string | null
  /** Null while it is no signed note: a draft, returned, or entered in error. */
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
  /** Audio that stands elsewhere; else `content` holds it. */
  recording_id: string | null
  /** Empty until the first bytes told. */
  media_type: string
  bytes: number
  content: SealedBytesOrNull
  created_at: string
  /** Who sends it; null where it was sent along with a call, or stands here as a recording. */
  person_id: string | null
  /** Of the blob with its id, wrapped; null where there is none, or it was erased. */
  sealed_key: Uint8Array | null
  /** What all of it must be, hex; null where nobody said. */
  sha256: string | null
  /** All is here and was looked through. */
  whole: 0 | 1
  /** What reads it, or did last. */
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
  /** Operation id of the route that asked. */
  route: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  progress: number
  /** What to do, as JSON; emptied when it is over. */
  payload: SealedTextOrNull
  /** Who asked, as JSON, for the audit entry of the effect. */
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
  /** What the engine answered for this piece, as JSON. */
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
  /** A `Head`, under a key of its practice alone. */
  sealed: Uint8Array
}

interface PsychotherapyNoteTable {
  id: string
  practice_id: string
  author_id: string
  client_id: string
  session_id: string | null
  /** Kind and text, AES-256-GCM with a key of its own; null where its author erased it. */
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
  /** When its transcripts are next looked through for what the rules erase. */
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
  /** What was said, where it was sent along; gone when the operation is over. */
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
/** Inside a write; what reads here sees nothing change until it commits. */
export type Write = Transaction<Tables>
