import type { StoreMigration } from './migration.ts'

/** Version number for the authorization cache. New keys and the recorded last use of a key do not count. */
export const authority: StoreMigration = {
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
