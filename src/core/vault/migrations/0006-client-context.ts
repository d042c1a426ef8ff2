import type { Migration } from '#base/migrate.ts'

/** What the therapist tells about a client beside their details: goals of the treatment, names and words that come up. */
export const clientContext: Migration = {
  version: 6,
  up: (database) =>
    database.exec(`
alter table clients add column goals text not null default '[]';
alter table clients add column vocabulary text not null default '[]';
`),
}
