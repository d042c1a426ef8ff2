import type { StoreMigration } from './migration.ts'

export const kept: StoreMigration = {
  version: 10,
  sql: ({ strict, strictWithoutRowid, text, integer, blob, isolate, onlyGrows }) => {
    const record = `
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}`
    return `
create table psychotherapy_notes (
  id ${text} primary key, practice_id ${text} not null references practices (id), author_id ${text} not null,
  client_id ${text} not null references clients (id), session_id ${text}, sealed ${blob},
  created_at ${text} not null, updated_at ${text} not null, version ${integer} not null check (version >= 1)
)${strict};
create index psychotherapy_notes_by_author on psychotherapy_notes (practice_id, author_id, client_id, created_at, id);
create table note_versions (
  practice_id ${text} not null references practices (id), note_id ${text} not null references notes (id), version ${integer} not null,
  kept_at ${text} not null, body ${text} not null, primary key (note_id, version)
)${strictWithoutRowid};
create table retention_policies (
  practice_id ${text} primary key references practices (id), transcript_days ${integer}, note_years ${integer} not null,
  version ${integer} not null, updated_at ${text} not null
)${strict};
create table legal_holds (${record}, client_id ${text} references clients (id), is_released ${integer} not null)${strict};
create index legal_holds_standing on legal_holds (practice_id, is_released, client_id);
create table erasures (${record})${strict};
${onlyGrows('erasures', 'what was erased stays on record')}
${['legal_holds', 'erasures']
  .map(
    (table) => `create index ${table}_created on ${table} (practice_id, created_at, id);
create index ${table}_updated on ${table} (practice_id, updated_at, id);`,
  )
  .join('\n')}
${['psychotherapy_notes', 'note_versions', 'legal_holds', 'erasures'].map((table) => isolate(table)).join('\n')}
`
  },
}
