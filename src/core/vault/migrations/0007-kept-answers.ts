import type { Migration } from '#base/migrate.ts'

/** What a service answered to questions that it alone can answer, for when it cannot be asked. */
export const keptAnswers: Migration = {
  version: 7,
  up: (database) =>
    database.exec(
      'create table kept_answers (question text primary key, answer text not null, answered_at text not null) strict',
    ),
}
