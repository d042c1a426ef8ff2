import type { Flavour, StoreMigration } from './migration.ts'

const coverage: StoreMigration = {
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

const kept: StoreMigration = {
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

const kinds: readonly (readonly [table: string, kind: string])[] = [
  ['clients', 'client'],
  ['sessions', 'session'],
  ['consents', 'consent'],
  ['transcripts', 'transcript'],
  ['notes', 'note'],
  ['analyses', 'analysis'],
  ['templates', 'template'],
  ['staff', 'staff'],
  ['rooms', 'room'],
  ['availability', 'availability'],
  ['coverages', 'coverage'],
  ['authorisations', 'authorisation'],
  ['payers', 'payer'],
]

const recordsChanges = (flavour: Flavour): string =>
  flavour.only('postgres', onPostgres) + kinds.map(([table, kind]) => feeds(flavour, table, kind)).join('\n')

/** Sequence numbers of a practice have no gaps and follow commit order, because the writes of a practice are serialized. */
function feeds({ only }: Flavour, table: string, kind: string): string {
  const told = (row: 'new' | 'old', deleted: string): string => `
  insert into changes (practice_id, seq, kind, record_id, version, deleted, at)
  select ${row}.practice_id, coalesce(max(seq), 0) + 1, '${kind}', ${row}.id, ${row}.version, ${deleted}, ${row}.updated_at
  from changes where practice_id = ${row}.practice_id;`
  return (
    only(
      'sqlite',
      `
create trigger ${table}_told_new after insert on ${table} begin ${told('new', '0')} end;
create trigger ${table}_told_changed after update on ${table}
  when new.version <> old.version or new.deleted_at is not old.deleted_at
begin ${told('new', 'new.deleted_at is not null')} end;
create trigger ${table}_told_gone after delete on ${table} begin ${told('old', '1')} end;`,
    ) +
    only(
      'postgres',
      `
create trigger ${table}_told after insert or update or delete on ${table} for each row execute function tell_change('${kind}');`,
    )
  )
}

const onPostgres = `
create function tell_change() returns trigger language plpgsql as $$
declare
  item record;
  gone bigint := 0;
begin
  if tg_op = 'DELETE' then
    item := old;
    gone := 1;
  else
    item := new;
    if tg_op = 'UPDATE' and new.version = old.version and new.deleted_at is not distinct from old.deleted_at then
      return null;
    end if;
    if new.deleted_at is not null then
      gone := 1;
    end if;
  end if;
  insert into changes (practice_id, seq, kind, record_id, version, deleted, at)
  select item.practice_id, coalesce(max(seq), 0) + 1, tg_argv[0], item.id, item.version, gone, item.updated_at
  from changes where practice_id = item.practice_id;
  return null;
end $$;`

const uploadsAndChanges: StoreMigration = {
  version: 11,
  sql: (flavour) => {
    const { strict, strictWithoutRowid, text, integer, blob, isolate } = flavour
    return `
alter table uploads add column person_id ${text};
alter table uploads add column sealed_key ${blob};
alter table uploads add column sha256 ${text};
alter table uploads add column whole ${integer} not null default 1;
alter table uploads add column operation_id ${text};
alter table uploads add column expires_at ${text};
alter table uploads add column erased_at ${text};
create index uploads_by_expiry on uploads (practice_id, expires_at);
create table blobs_to_remove (
  blob_id ${text} primary key, practice_id ${text} not null references practices (id), since ${text} not null
)${strict};
${isolate('blobs_to_remove')}
create table changes (
  practice_id ${text} not null references practices (id), seq ${integer} not null, kind ${text} not null, record_id ${text} not null,
  version ${integer} not null, deleted ${integer} not null, at ${text} not null, primary key (practice_id, seq)
)${strictWithoutRowid};
${isolate('changes')}
${recordsChanges(flavour)}
`
  },
}

export const migrations0009To0011 = {
  '0009-coverage': coverage,
  '0010-kept': kept,
  '0011-uploads-and-changes': uploadsAndChanges,
}
