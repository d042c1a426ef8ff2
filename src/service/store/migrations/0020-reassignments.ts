import type { StoreMigration } from './migration.ts'

export const reassignments: StoreMigration = {
  version: 20,
  sql: ({ strict, text, integer, isolate }) => `
create table reassignments (
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text},
  client_id ${text} not null references clients (id), from_clinician_id ${text}
)${strict};
create index reassignments_created on reassignments (practice_id, created_at, id);
create index reassignments_updated on reassignments (practice_id, updated_at, id);
create index reassignments_by_former on reassignments (practice_id, from_clinician_id);
${isolate('reassignments')}
`,
}
