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

const practice: StoreMigration = {
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

const voices: StoreMigration = {
  version: 2,
  sql: ({ strictWithoutRowid, text, integer, blob, isolate }) => `
create table voices (
  practice_id ${text} not null references practices (id), person_id ${text} not null, model_sha256 ${text} not null, heard_ms ${integer} not null,
  sealed ${blob} not null, enrolled_at ${text} not null, primary key (practice_id, person_id)
)${strictWithoutRowid};
${isolate('voices')}
`,
}

const models: StoreMigration = {
  version: 3,
  sql: ({ strict, strictWithoutRowid, text, integer }) => `
create table models (
  id ${text} primary key, name ${text} not null, task ${text} not null, kind ${text}, languages ${text} not null,
  origin ${text} not null check (origin in ('source', 'import', 'own')), rank ${integer} not null, files ${text} not null,
  chosen ${integer} not null check (chosen in (0, 1)), installed_at ${text} not null, self_test ${text}, self_test_problem ${text}
)${strict};
create table model_installs (
  operation_id ${text} primary key references operations (id), model_id ${text} not null
)${strictWithoutRowid};
create index model_installs_by_model on model_installs (model_id);
`,
}

const analyses: StoreMigration = {
  version: 4,
  sql: ({ strict, text, integer, isolate }) => `
create table analyses (
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text},
  session_id ${text} references sessions (id), client_id ${text} references clients (id)
)${strict};
create index analyses_by_session on analyses (session_id);
create index analyses_by_client on analyses (client_id);
create index analyses_created on analyses (practice_id, created_at, id);
create index analyses_updated on analyses (practice_id, updated_at, id);
${isolate('analyses')}
`,
}

const templates: StoreMigration = {
  version: 5,
  sql: ({ strict, text, integer, isolate }) => `
create table templates (
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}
)${strict};
create index templates_created on templates (practice_id, created_at, id);
create index templates_updated on templates (practice_id, updated_at, id);
${isolate('templates')}
`,
}

const staff: StoreMigration = {
  version: 6,
  sql: ({ strict, text, integer, isolate }) => {
    const record = `
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}`
    return `
create table staff (${record}, supervisor_id ${text}, status ${text} not null check (status in ('active', 'left')))${strict};
create index staff_created on staff (practice_id, created_at, id);
create index staff_updated on staff (practice_id, updated_at, id);
create index staff_by_supervisor on staff (practice_id, supervisor_id);
${isolate('staff')}
create table break_glass (
  ${record}, person_id ${text} not null, client_id ${text} not null references clients (id), ends_at ${text} not null, reviewed_at ${text}
)${strict};
create index break_glass_created on break_glass (practice_id, created_at, id);
create index break_glass_updated on break_glass (practice_id, updated_at, id);
create index break_glass_by_person on break_glass (practice_id, person_id, ends_at);
${isolate('break_glass')}
alter table transcripts add column author_id ${text};
alter table notes add column author_id ${text};
alter table analyses add column author_id ${text};
`
  },
}

const keys: StoreMigration = {
  version: 7,
  sql: ({ strictWithoutRowid, text, integer, isolate }) => `
alter table api_keys add column mode ${text} not null default 'live' check (mode in ('live', 'test'));
alter table api_keys add column rotated_at ${text};
alter table api_keys add column previous_digest ${text};
alter table api_keys add column grace_until ${text};
create index api_keys_created on api_keys (practice_id, created_at, id);
create index audit_events_recorded on audit_events (practice_id, recorded_at);
create table quota_days (
  practice_id ${text} not null references practices (id), day ${text} not null, used ${integer} not null check (used >= 0),
  primary key (practice_id, day)
)${strictWithoutRowid};
${isolate('quota_days')}
create table refused_calls (
  hour ${text} not null, source ${text} not null, reason ${text} not null, calls ${integer} not null, last_at ${text} not null,
  primary key (hour, source, reason)
)${strictWithoutRowid};
`,
}

const schedule: StoreMigration = {
  version: 8,
  sql: ({ strict, strictWithoutRowid, text, integer, isolate }) => {
    const record = `
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}`
    const listed = (table: string): string => `
create index ${table}_created on ${table} (practice_id, created_at, id);
create index ${table}_updated on ${table} (practice_id, updated_at, id);
${isolate(table)}`
    return `
create table rooms (${record})${strict};
${listed('rooms')}
create table availability (${record}, clinician_id ${text})${strict};
${listed('availability')}
create table schedule_proposals (
  id ${text} primary key, practice_id ${text} not null references practices (id), person_id ${text} not null, body ${text} not null,
  expires_at ${text} not null, booked ${text}
)${strict};
create index schedule_proposals_by_expiry on schedule_proposals (practice_id, expires_at);
${isolate('schedule_proposals')}
create table series_sessions (
  session_id ${text} primary key references sessions (id), practice_id ${text} not null references practices (id), series_id ${text} not null,
  wall ${text} not null, time_zone ${text} not null, tz_version ${text} not null, starts_at ${text} not null
)${strict};
create index series_sessions_by_series on series_sessions (practice_id, series_id);
create index series_sessions_by_rules on series_sessions (practice_id, tz_version);
${isolate('series_sessions')}
create table session_clients (
  session_id ${text} not null references sessions (id), client_id ${text} not null references clients (id),
  practice_id ${text} not null references practices (id), primary key (session_id, client_id)
)${strictWithoutRowid};
create index session_clients_by_client on session_clients (practice_id, client_id);
${isolate('session_clients')}
create index sessions_by_clinician on sessions (practice_id, clinician_id, starts_at);
`
  },
}

export const migrations0001To0008 = {
  '0001-practice': practice,
  '0002-voices': voices,
  '0003-models': models,
  '0004-analyses': analyses,
  '0005-templates': templates,
  '0006-staff': staff,
  '0007-keys': keys,
  '0008-schedule': schedule,
}
