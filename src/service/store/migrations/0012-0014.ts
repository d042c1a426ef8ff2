import type { StoreMigration } from './migration.ts'

const takesUpTime = "status in ('proposed', 'scheduled', 'in_progress') and deleted_at is null"

const oneBooking: StoreMigration = {
  version: 12,
  sql: ({ only }) =>
    `${only(
      'postgres',
      `
create extension if not exists btree_gist;
create function session_span(starts_at text, ends_at text) returns tstzrange language sql immutable strict parallel safe as
$$ select tstzrange(starts_at::timestamptz, ends_at::timestamptz, '[)') $$;
${[
  ['client', 'client_id with =', ''],
  // Sessions without a clinician count as sessions of one and the same clinician.
  ['clinician', "coalesce(clinician_id, '') with =", ''],
  ['room', 'room_id with =', ' and room_id is not null'],
]
  .map(
    ([
      whose,
      column,
      where,
    ]) => `alter table sessions add constraint sessions_once_per_${whose} exclude using gist (practice_id with =, ${column}, session_span(starts_at, ends_at) with &&)
  where (${takesUpTime}${where});`,
  )
  .join('\n')}
`,
    )}${only(
      'sqlite',
      `
${['insert', 'update']
  .map(
    (
      change,
    ) => `create trigger sessions_once_on_${change} before ${change} on sessions when new.status in ('proposed', 'scheduled', 'in_progress') and new.deleted_at is null
begin
  select raise(abort, 'double booking') where exists (
    select 1 from sessions other where other.practice_id = new.practice_id and other.id <> new.id and other.${takesUpTime.replace('deleted_at', 'other.deleted_at')}
      and other.starts_at < new.ends_at and other.ends_at > new.starts_at
      and (other.client_id = new.client_id or other.clinician_id is new.clinician_id or other.room_id = new.room_id)
  );
end;`,
  )
  .join('\n')}
update clients set search_name = ${["'-'", "''''", "'’'", "'.'", "','", "'%'"].reduce((text, mark) => `replace(${text}, ${mark}, ' ' || ${mark} || ' ')`, 'search_name')};
`,
    )}`,
}

const renewingKeys: StoreMigration = {
  version: 13,
  // Older code can create keys without this column.
  minSafeVersion: 12,
  sql: ({ integer }) => `alter table api_keys add column renews_for_days ${integer};
`,
}

/** `authority_version` shows caches that access changed. Creating a key or recording its last use does not change it. */
const authority: StoreMigration = {
  version: 14,
  // Older code reads authorization on every call.
  minSafeVersion: 12,
  sql: ({ integer, only }) => `
alter table practices add column authority_version ${integer} not null default 0;
${only('sqlite', onSqlite())}
${only('postgres', onPostgres)}
`,
}

const keyColumns = 'digest, previous_digest, grace_until, roles, expires_at, revoked_at, mode, person_id'

const watched = [
  { name: 'key_changed', on: `update of ${keyColumns} on api_keys`, of: 'new' },
  { name: 'key_gone', on: 'delete on api_keys', of: 'old' },
  { name: 'staff_came', on: 'insert on staff', of: 'new' },
  { name: 'staff_changed', on: 'update on staff', of: 'new' },
  { name: 'staff_gone', on: 'delete on staff', of: 'old' },
  { name: 'emergency_opened', on: 'insert on break_glass', of: 'new' },
  { name: 'emergency_changed', on: 'update on break_glass', of: 'new' },
  { name: 'emergency_gone', on: 'delete on break_glass', of: 'old' },
] as const

function onSqlite(): string {
  const moves = (id: string): string => `update practices set authority_version = authority_version + 1 where id = ${id};`
  const ofRows = watched.map(
    ({ name, on, of }) => `create trigger authority_${name} after ${on} begin ${moves(`${of}.practice_id`)} end;`,
  )
  return [...ofRows, `create trigger authority_plan after update of plan on practices begin ${moves('new.id')} end;`].join('\n')
}

const onPostgres = `
create function authority_moves() returns trigger language plpgsql as $$ begin
  update practices set authority_version = authority_version + 1
    where id = case when tg_op = 'DELETE' then old.practice_id else new.practice_id end;
  return null;
end $$;
${watched.map(({ name, on }) => `create trigger authority_${name} after ${on} for each row execute function authority_moves();`).join('\n')}
create function authority_moves_with_plan() returns trigger language plpgsql as $$ begin
  new.authority_version := old.authority_version + 1;
  return new;
end $$;
create trigger authority_plan before update of plan on practices for each row execute function authority_moves_with_plan();`

export const migrations0012To0014 = {
  '0012-one-booking': oneBooking,
  '0013-renewing-keys': renewingKeys,
  '0014-authority': authority,
}
