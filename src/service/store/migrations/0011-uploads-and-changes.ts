import type { StoreMigration, Flavour } from './migration.ts'

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

/** Sequence numbers have no gaps and follow commit order, because writes of one practice are serialized. */
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

export const uploadsAndChanges: StoreMigration = {
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
