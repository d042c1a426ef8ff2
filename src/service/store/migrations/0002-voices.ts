import type { StoreMigration } from './migration.ts'

export const voices: StoreMigration = {
  version: 2,
  sql: ({ strictWithoutRowid, text, integer, blob, isolate }) => `
create table voices (
  practice_id ${text} not null references practices (id), person_id ${text} not null, model_sha256 ${text} not null, heard_ms ${integer} not null,
  sealed ${blob} not null, enrolled_at ${text} not null, primary key (practice_id, person_id)
)${strictWithoutRowid};
${isolate('voices')}
`,
}
