import type { Flavour, StoreMigration } from './migration.ts'

const onlyGrows: readonly (readonly [table: string, message: string])[] = [
  ['audit_events', 'the audit log only grows'],
  ['erasures', 'what was erased stays on record'],
]

/**
 * Rows of append-only tables can be deleted only while the practice is arriving or removed. Older code would serve a closed
 * practice, so it must not open the store.
 */
export const practicesThatMove: StoreMigration = {
  version: 19,
  sql: ({ text, only }: Flavour) => `
alter table practices add column state ${text} not null default 'open' check (state in ('open', 'closed', 'arriving', 'removed'));
alter table practices add column moved_to ${text};
alter table practices add column key_peppers ${text};
${only('sqlite', onlyGrows.map(removableOnSqlite).join('\n'))}
${only('postgres', onlyGrows.map(removableOnPostgres).join('\n'))}
`,
}

const isGoing = "exists (select 1 from practices where id = old.practice_id and state in ('arriving', 'removed'))"

const removableOnSqlite = ([table, message]: readonly [string, string]): string => `drop trigger ${table}_never_go;
create trigger ${table}_never_go before delete on ${table} when not ${isGoing} begin select raise(abort, '${message}'); end;`

const removableOnPostgres = ([table, message]: readonly [
  string,
  string,
]): string => `create or replace function ${table}_only_grows() returns trigger language plpgsql as
$$ begin
  if tg_op = 'DELETE' then
    if ${isGoing} then return old; end if;
  end if;
  raise exception '${message}';
end $$;`
