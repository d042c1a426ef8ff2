import type { Migration } from '#base/migrate.ts'

/** Lets reports name a client with no record left. The index lists notes without reading their text. */
export const inventory: Migration = {
  version: 21,
  minSafeVersion: 0,
  up: (database) =>
    database.exec(`
alter table recovery_items add column client_name text;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version);
`),
}
