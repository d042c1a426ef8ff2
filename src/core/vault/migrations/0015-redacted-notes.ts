import type { Migration } from '#base/migrate.ts'

/**
 * When a note's text was erased under a retention policy, and the hash of the rest, so that it stays identifiable as signed.
 */
export const redactedNotes: Migration = {
  version: 15,
  up: (database) => database.exec('alter table notes add column redacted text;'),
}
