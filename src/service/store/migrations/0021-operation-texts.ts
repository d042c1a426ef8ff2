import type { StoreMigration } from './migration.ts'

/** Long operation texts have a separate table, because the operation row is rewritten at every step. */
export const operationTexts: StoreMigration = {
  version: 21,
  sql: ({ strict, text, isolate }) => `
create table operation_texts (
  operation_id ${text} primary key references operations (id), practice_id ${text} not null references practices (id), text ${text} not null
)${strict};
${isolate('operation_texts')}
`,
}
