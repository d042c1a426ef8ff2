/**
 * The header with the wrapped key is only in the file. `erased_dictations` lists deleted dictations whose file may still exist,
 * so that a file whose row a repair lost is not taken for a deleted one.
 */
export const dictations = `
create table dictations (
  id text primary key,
  session_id text not null,
  section_key text,
  started_at text not null,
  saved_ms integer not null
) strict;
create index dictations_by_session on dictations (session_id);
create table erased_dictations (id text primary key) strict, without rowid;
create trigger dictations_erased after delete on dictations
begin
  insert or ignore into erased_dictations (id) values (old.id);
end;
`
