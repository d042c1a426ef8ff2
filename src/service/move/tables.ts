import type { Tables } from '../store/tables.ts'

export interface MovingTable {
  readonly name: keyof Tables
  /** Orders its rows alike in every store. */
  readonly key: readonly string[]
  /** Columns that a store on PostgreSQL holds sealed. */
  readonly sealed: readonly string[]
}

const table = (name: keyof Tables, key: readonly string[] = ['id'], sealed: readonly string[] = []): MovingTable => ({
  name,
  key,
  sealed,
})
const records = (name: keyof Tables, ...more: string[]): MovingTable => table(name, ['id'], ['body', ...more])

/** Everything that belongs to a practice and moves with it; each row comes after those it refers to. */
export const movingTables: readonly MovingTable[] = [
  table('api_keys'),
  table('quota_days', ['day']),
  table('retention_policies', ['practice_id']),
  records('staff'),
  records('rooms'),
  records('availability'),
  records('payers'),
  records('templates'),
  records('clients'),
  records('sessions'),
  table('session_clients', ['session_id', 'client_id']),
  table('series_sessions', ['session_id']),
  records('schedule_proposals'),
  records('consents'),
  records('transcripts'),
  records('notes'),
  table('note_versions', ['note_id', 'version'], ['body']),
  records('analyses'),
  records('coverages', 'raw'),
  records('authorisations'),
  table('psychotherapy_notes'),
  records('break_glass'),
  records('reassignments'),
  records('legal_holds'),
  records('erasures'),
  table('voices', ['person_id']),
  table('uploads', ['id'], ['content']),
  table('operations', ['id'], ['payload']),
  table('operation_texts', ['operation_id'], ['text']),
  table('operation_pieces', ['operation_id', 'piece'], ['answer']),
  table('idempotency_keys', ['person_id', 'idempotency_key']),
  table('audit_events', ['seq']),
  // Last: inserting the others makes changes, which these replace.
  table('changes', ['seq']),
]

/** What stays behind: of the machine, of the whole store, or made again where the practice arrives. */
export const stayingTables: readonly (keyof Tables | 'schema_state' | 'schema_steps')[] = [
  'practices',
  'audit_heads',
  'blobs_to_remove',
  'models',
  'model_installs',
  'refused_calls',
  'schema_state',
  'schema_steps',
]
