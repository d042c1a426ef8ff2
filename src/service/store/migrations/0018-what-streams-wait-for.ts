import type { StoreMigration } from './migration.ts'

/** Counters let one query poll for the event streams of many practices. */
export const whatStreamsWaitFor: StoreMigration = {
  version: 18,
  // Triggers maintain the counters, so older code may write.
  minSafeVersion: 12,
  sql: ({ integer, only }) => `
alter table practices add column last_change ${integer} not null default 0;
alter table practices add column work_steps ${integer} not null default 0;
${only('sqlite', onSqlite)}
${only('postgres', onPostgres)}
`,
}

const step = 'update practices set work_steps = work_steps + 1 where id = new.practice_id;'

const onSqlite = `
create trigger changes_counted after insert on changes
  begin update practices set last_change = new.seq where id = new.practice_id; end;
create trigger work_begun after insert on operations begin ${step} end;
create trigger work_stepped after update of status, progress on operations begin ${step} end;`

const onPostgres = `
create function count_change() returns trigger language plpgsql as $$ begin
  update practices set last_change = new.seq where id = new.practice_id;
  return null;
end $$;
create trigger changes_counted after insert on changes for each row execute function count_change();
create function count_work_step() returns trigger language plpgsql as $$ begin
  ${step}
  return null;
end $$;
create trigger work_begun after insert on operations for each row execute function count_work_step();
create trigger work_stepped after update of status, progress on operations for each row execute function count_work_step();`
