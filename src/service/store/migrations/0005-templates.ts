import type { StoreMigration } from './migration.ts'

export const templates: StoreMigration = {
  version: 5,
  sql: ({ strict, text, integer, isolate }) => `
create table templates (
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}
)${strict};
create index templates_created on templates (practice_id, created_at, id);
create index templates_updated on templates (practice_id, updated_at, id);
${isolate('templates')}
`,
}
