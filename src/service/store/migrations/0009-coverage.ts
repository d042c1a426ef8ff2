import type { StoreMigration } from './migration.ts'

export const coverage: StoreMigration = {
  version: 9,
  sql: ({ strict, text, integer, isolate, only }) => {
    const record = `
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}`
    const lists = (table: string): string => `
create index ${table}_created on ${table} (practice_id, created_at, id);
create index ${table}_updated on ${table} (practice_id, updated_at, id);
${isolate(table)}`
    return `
create table coverages (
  ${record}, client_id ${text} references clients (id), author_id ${text} not null, question ${text} not null, is_answer ${integer} not null,
  checked_at ${text} not null, raw ${text}, raw_type ${text}
)${strict};
create index coverages_by_client on coverages (client_id);
create index coverages_by_question on coverages (practice_id, question, checked_at);
${lists('coverages')}
create table authorisations (
  ${record}, client_id ${text} not null references clients (id), author_id ${text} not null
)${strict};
create index authorisations_by_client on authorisations (client_id);
${lists('authorisations')}
create table payers (${record}, payer_id ${text} not null, search ${text} not null)${strict};
create unique index payers_by_id on payers (practice_id, payer_id);
${lists('payers')}
alter table notes add column signed_at ${text};
alter table transcripts add column duration_ms ${integer};
${only(
  'sqlite',
  `update notes set signed_at = strftime('%Y-%m-%dT%H:%M:%fZ', json_extract(body, '$.signature.at'))
  where deleted_at is null and json_extract(body, '$.status') in ('signed', 'awaiting_cosign', 'cosigned', 'amended');
update transcripts set duration_ms = json_extract(body, '$.duration_ms') where deleted_at is null;`,
)}
create index notes_by_signature on notes (practice_id, signed_at);
`
  },
}
