const table = `
create table answered (
  kind text not null,
  id text not null,
  version integer not null,
  primary key (kind, id)
) strict, without rowid;
`

const ofTables = [
  ['client', 'clients'],
  ['session', 'sessions'],
  ['consent', 'consents'],
  ['transcript', 'transcripts'],
  ['note', 'notes'],
] as const

const isEmbedded = `exists (select 1 from pull_service where address = 'http://embedded.invalid/v1')`

const triggers = (kind: string, name: string): string => `
create trigger ${name}_answered after update of service_version on ${name}
  when new.service_version is not null and new.service_version is not old.service_version and ${isEmbedded}
begin
  insert or replace into answered (kind, id, version) values ('${kind}', new.id, new.service_version);
end;
create trigger ${name}_answered_new after insert on ${name} when new.service_version is not null and ${isEmbedded}
begin
  insert or replace into answered (kind, id, version) values ('${kind}', new.id, new.service_version);
end;`

export const answered = table + ofTables.map(([kind, name]) => triggers(kind, name)).join('\n')

export const wrappedKeys = `
create table wrapped_keys (
  only_one integer primary key check (only_one = 1),
  envelope text not null
) strict;
`

export const inventory = `
alter table recovery_items add column client_name text;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version);
`

export const lostRecords = `
alter table recovery_reports add column removed_at text;
alter table recovery_reports add column solved_at text;
update recovery_reports set removed_at = read_at where id not in (select report_id from recovery_items);
alter table recovery_items add column is_signed integer not null default 0;
create index recovery_items_by_session on recovery_items (session_id);
drop index notes_listed;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version, json_array_length(addenda));
`

export const deletionReceipts = `
create table deletion_receipts (
  number integer primary key autoincrement,
  recording_id text not null,
  session_id text not null,
  deleted_at text not null,
  deleted_by text not null,
  reason text not null check (reason in ('signed', 'by-hand')),
  started_at text not null,
  saved_ms integer not null,
  ogg_sha256 text,
  note_sha256 text
) strict;
create index deletion_receipts_by_session on deletion_receipts (session_id);
create index recordings_finished on recordings (session_id, id) where state = 'finished';
create index audit_deletions_announced on audit (subject_id, at) where action = 'recording.deletion-announced';
`
