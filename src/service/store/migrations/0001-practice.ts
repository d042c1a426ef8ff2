import type { Flavour, StoreMigration } from './migration.ts'

const recordColumns = ({ text, integer }: Flavour): string => `
  id ${text} primary key,
  practice_id ${text} not null references practices (id),
  body ${text} not null,
  created_at ${text} not null,
  updated_at ${text} not null,
  version ${integer} not null check (version >= 1),
  deleted_at ${text}`

const keptApart = ({
  isolate,
  isolateBy,
  onlyGrows,
}: Flavour): string => `${onlyGrows('audit_events', 'the audit log only grows')}
${['clients', 'sessions', 'consents', 'transcripts', 'notes', 'uploads', 'operations', 'idempotency_keys', 'audit_events']
  .map((table) => isolate(table))
  .join('\n')}
${isolate('api_keys', 'id')}
${isolateBy('operation_pieces', 'operation_id', 'operations')}`

export const practice: StoreMigration = {
  version: 1,
  sql: (flavour) => {
    const { strict, strictWithoutRowid, text, integer, real, blob } = flavour
    const record = recordColumns(flavour)
    return `
create table practices (
  id ${text} primary key, name ${text} not null, plan ${text} not null check (plan in ('free', 'professional', 'enterprise')), created_at ${text} not null
)${strict};
create table api_keys (
  id ${text} primary key, practice_id ${text} not null references practices (id), person_id ${text} not null, name ${text} not null, roles ${text} not null,
  digest ${text} not null, created_at ${text} not null, expires_at ${text}, revoked_at ${text}, last_used_at ${text}
)${strict};
create table clients (${record}, search_name ${text} not null, status ${text} not null, clinician_id ${text})${strict};
create table sessions (
  ${record}, client_id ${text} not null references clients (id), clinician_id ${text}, room_id ${text}, status ${text} not null,
  starts_at ${text} not null, ends_at ${text} not null
)${strict};
create index sessions_by_time on sessions (practice_id, starts_at, ends_at);
create index sessions_by_client on sessions (client_id);
create table consents (${record}, client_id ${text} not null references clients (id))${strict};
create index consents_by_client on consents (client_id);
create table transcripts (${record}, session_id ${text} references sessions (id))${strict};
create index transcripts_by_session on transcripts (session_id);
create table notes (${record}, session_id ${text} references sessions (id), client_id ${text} references clients (id))${strict};
create index notes_by_session on notes (session_id);
create index notes_by_client on notes (client_id);
${['clients', 'sessions', 'consents', 'transcripts', 'notes']
  .map(
    (table) => `create index ${table}_created on ${table} (practice_id, created_at, id);
create index ${table}_updated on ${table} (practice_id, updated_at, id);`,
  )
  .join('\n')}
create table uploads (
  id ${text} primary key, practice_id ${text} not null references practices (id), session_id ${text}, recording_id ${text}, media_type ${text} not null,
  bytes ${integer} not null, content ${blob}, created_at ${text} not null
)${strict};
create table operations (
  id ${text} primary key, practice_id ${text} not null references practices (id), kind ${text} not null, route ${text} not null,
  status ${text} not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')), progress ${real} not null, payload ${text},
  agent ${text} not null, result_kind ${text}, result_id ${text}, error_code ${text}, error_detail ${text}, attempts ${integer} not null,
  lease_owner ${text}, lease_until ${integer} not null, created_at ${text} not null, updated_at ${text} not null
)${strict};
create index operations_waiting on operations (status, created_at) where status in ('queued', 'running');
create table operation_pieces (
  operation_id ${text} not null references operations (id), piece ${integer} not null, answer ${text} not null, primary key (operation_id, piece)
)${strictWithoutRowid};
create table idempotency_keys (
  practice_id ${text} not null, person_id ${text} not null, idempotency_key ${text} not null, request_hash ${text} not null, status ${integer} not null,
  record_kind ${text} not null, record_id ${text} not null, record_version ${integer} not null, created_at ${text} not null,
  primary key (practice_id, person_id, idempotency_key)
)${strictWithoutRowid};
create index idempotency_keys_by_age on idempotency_keys (created_at);
create table audit_events (
  practice_id ${text} not null, seq ${integer} not null, recorded_at ${text} not null, event ${text} not null, previous_hash ${text} not null, hash ${text} not null,
  primary key (practice_id, seq)
)${strictWithoutRowid};
${keptApart(flavour)}
`
  },
}
