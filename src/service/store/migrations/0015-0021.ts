import type { Flavour, StoreMigration } from './migration.ts'

/** Sessions last a day at most, so the check for overlaps skips sessions that began a day or more before the new one. */
const bookingLooksBackADay: StoreMigration = {
  version: 15,
  minSafeVersion: 12,
  sql: ({ only }) => only('sqlite', ['insert', 'update'].map(once).join('\n')),
}

const takesUpTime = (session: string): string =>
  `${session}.status in ('proposed', 'scheduled', 'in_progress') and ${session}.deleted_at is null`

const once = (change: string): string => `drop trigger sessions_once_on_${change};
create trigger sessions_once_on_${change} before ${change} on sessions when ${takesUpTime('new')}
begin
  select raise(abort, 'double booking') where exists (
    select 1 from sessions other where other.practice_id = new.practice_id and other.id <> new.id and ${takesUpTime('other')}
      and other.starts_at < new.ends_at and other.ends_at > new.starts_at
      and other.starts_at > strftime('%Y-%m-%dT%H:%M:%fZ', new.starts_at, '-1 day')
      and (other.client_id = new.client_id or other.clinician_id is new.clinician_id or other.room_id = new.room_id)
  );
end;`

const dueOverAllPractices: StoreMigration = {
  version: 16,
  // Older code visits each practice in turn, which still works.
  minSafeVersion: 12,
  sql: ({ text, countable }) => `
${['operations', 'uploads', 'blobs_to_remove', 'changes', 'series_sessions'].map(countable).join('\n')}
create index uploads_expiring on uploads (expires_at) where sealed_key is not null;
create index uploads_erased on uploads (erased_at) where erased_at is not null;
create index changes_by_time on changes (at);
create index operations_with_kept_pieces on operations (updated_at) where status = 'failed' and payload is not null;
create index series_sessions_by_zone_rules on series_sessions (tz_version, starts_at);
alter table retention_policies add column sweep_at ${text} not null default '';
create index retention_policies_due on retention_policies (sweep_at) where transcript_days is not null;
`,
}

/** Existing audit events keep their hashes, which use no key; new ones use HMAC. An older release fails on the renamed column. */
const auditHeads: StoreMigration = {
  version: 17,
  sealsAuditHeads: true,
  sql: ({ strictWithoutRowid, text, blob, isolate }) => `
create table audit_heads (practice_id ${text} primary key, sealed ${blob} not null)${strictWithoutRowid};
${isolate('audit_heads')}
alter table audit_events rename column previous_hash to previous;
`,
}

/** Counters let one query poll for the event streams of many practices. */
const whatStreamsWaitFor: StoreMigration = {
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

const onlyGrows: readonly (readonly [table: string, message: string])[] = [
  ['audit_events', 'the audit log only grows'],
  ['erasures', 'what was erased stays on record'],
]

/**
 * Rows of append-only tables can be deleted only while their practice has the state `arriving` or `removed`. Older code would
 * serve a closed practice, so it must not open the store.
 */
const practicesThatMove: StoreMigration = {
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

const reassignments: StoreMigration = {
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

/** Operation texts can be long, so they have a separate table: the operation row is rewritten at every step. */
const operationTexts: StoreMigration = {
  version: 21,
  sql: ({ strict, text, isolate }) => `
create table operation_texts (
  operation_id ${text} primary key references operations (id), practice_id ${text} not null references practices (id), text ${text} not null
)${strict};
${isolate('operation_texts')}
`,
}

export const migrations0015To0021 = {
  '0015-booking-looks-back-a-day': bookingLooksBackADay,
  '0016-due-over-all-practices': dueOverAllPractices,
  '0017-audit-heads': auditHeads,
  '0018-what-streams-wait-for': whatStreamsWaitFor,
  '0019-practices-that-move': practicesThatMove,
  '0020-reassignments': reassignments,
  '0021-operation-texts': operationTexts,
}
