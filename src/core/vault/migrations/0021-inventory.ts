export const inventory = `
alter table recovery_items add column client_name text;
create index notes_listed on notes (id, session_id, client_id, status, updated_at, service_version);
`
