import type { Migration } from '#base/migrate.ts'

/** When its words were erased by policy, and what is left hashes to; so that a note stays known for what was signed. */
export const redactedNotes: Migration = {
  version: 15,
  up: (database) => database.exec('alter table notes add column redacted text;'),
}
