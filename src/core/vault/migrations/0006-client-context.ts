import type { Migration } from '#base/migrate.ts'

export const clientContext: Migration = {
  version: 6,
  up: (database) =>
    database.exec(`
alter table clients add column goals text not null default '[]';
alter table clients add column vocabulary text not null default '[]';
`),
}
