import type { Migration } from '#base/migrate.ts'

/** The therapist's own forms of notes. A removed one stays for the notes that were written in it. */
export const templates: Migration = {
  version: 5,
  up: (database) =>
    database.exec(`
create table templates (
  id text primary key,
  body text not null,
  created_at text not null,
  updated_at text not null,
  version integer not null check (version >= 1),
  removed_at text
) strict;
`),
}
