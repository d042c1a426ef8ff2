import type { Migration } from '#base/migrate.ts'

/** Cached answers of the service, for offline use. */
export const keptAnswers: Migration = {
  version: 7,
  up: (database) =>
    database.exec(
      'create table kept_answers (question text primary key, answer text not null, answered_at text not null) strict',
    ),
}
