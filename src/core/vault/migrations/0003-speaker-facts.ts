import type { Migration } from '#base/migrate.ts'

/** Speaker assignments by time range, which a new transcript keeps, and the detected voice of each segment. */
export const speakerFacts: Migration = {
  version: 3,
  up: (database) =>
    database.exec(`
create table speaker_facts (
  session_id text primary key references sessions (id),
  recording_id text not null,
  facts text not null
) strict;
alter table segments add column voice text;
`),
}
