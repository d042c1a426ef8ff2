import type { Migration } from '#base/migrate.ts'

/**
 * What the therapist said about who speaks, by stretches of the recording, so that no new transcript undoes it; and of each
 * turn the voice that was heard, whoever it was given to since.
 */
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
