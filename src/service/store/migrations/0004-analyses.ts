import type { StoreMigration } from './migration.ts'

export const analyses: StoreMigration = {
  version: 4,
  sql: ({ strict, text, integer, isolate }) => `
create table analyses (
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text},
  session_id ${text} references sessions (id), client_id ${text} references clients (id)
)${strict};
create index analyses_by_session on analyses (session_id);
create index analyses_by_client on analyses (client_id);
create index analyses_created on analyses (practice_id, created_at, id);
create index analyses_updated on analyses (practice_id, updated_at, id);
${isolate('analyses')}
`,
}
