import type { Migration } from '#base/migrate.ts'

/**
 * A report names a client of whom no record is left until it is read. The index lists every note without reading its text.
 */
export const inventory: Migration = {
  version: 21,
  minSafeVersion: 0,
  up: (database) =>
    database.exec(`
alter table recovery_items add column client_name text;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version);
`),
}
