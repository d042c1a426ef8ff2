import type { Migration } from '#base/migrate.ts'

/** Result of the last check of a recording file, and how much damage was dismissed on the Today page. */
export const checkedRecordings: Migration = {
  version: 18,
  minSafeVersion: 0,
  up: (database) =>
    database.exec(`
      alter table recordings add column unreadable text;
      alter table recordings add column checked_at text;
      alter table recordings add column dismissed_ms integer not null default 0;`),
}
