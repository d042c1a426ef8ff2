import type { StoreMigration } from './migration.ts'

export const models: StoreMigration = {
  version: 3,
  sql: ({ strict, strictWithoutRowid, text, integer }) => `
create table models (
  id ${text} primary key, name ${text} not null, task ${text} not null, kind ${text}, languages ${text} not null,
  origin ${text} not null check (origin in ('source', 'import', 'own')), rank ${integer} not null, files ${text} not null,
  chosen ${integer} not null check (chosen in (0, 1)), installed_at ${text} not null, self_test ${text}, self_test_problem ${text}
)${strict};
create table model_installs (
  operation_id ${text} primary key references operations (id), model_id ${text} not null
)${strictWithoutRowid};
create index model_installs_by_model on model_installs (model_id);
`,
}
