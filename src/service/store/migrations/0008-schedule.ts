import type { StoreMigration } from './migration.ts'

export const schedule: StoreMigration = {
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
