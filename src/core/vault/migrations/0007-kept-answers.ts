export const keptAnswers =
  'create table kept_answers (question text primary key, answer text not null, answered_at text not null) strict'
