import type { StoreMigration } from './migration.ts'

export const keys: StoreMigration = {
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
