import type { Migration } from '#base/migrate.ts'

/** Custom note templates. A removed one stays for the notes written with it. */
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
