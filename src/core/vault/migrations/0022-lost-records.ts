export const lostRecords = `
alter table recovery_reports add column removed_at text;
alter table recovery_reports add column solved_at text;
update recovery_reports set removed_at = read_at where id not in (select report_id from recovery_items);
alter table recovery_items add column is_signed integer not null default 0;
create index recovery_items_by_session on recovery_items (session_id);
drop index notes_listed;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version, json_array_length(addenda));
`
