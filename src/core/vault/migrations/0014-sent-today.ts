import type { Migration } from '#base/migrate.ts'

/** Records accepted by the practice's service today, one row per record and kind. Deleted after the day, or with the record. */
export const sentToday: Migration = {
  version: 14,
  up: (database) =>
    database.exec(`
create table sent_today (
  kind text not null,
  subject_id text not null,
  client_id text not null,
  session_id text,
  -- Names of the fields that were changed; never what they say.
  fields text not null,
  sent_at text not null,
  primary key (kind, subject_id)
) strict, without rowid;
create index sent_today_by_time on sent_today (sent_at);
`),
}
