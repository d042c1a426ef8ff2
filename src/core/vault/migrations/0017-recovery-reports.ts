export const recoveryReports = `
create table recovery_reports (
  id text primary key,
  at text not null,
  file text not null check (file in ('vault', 'service', 'keys', 'recordings')),
  cause text not null check (cause in ('damaged', 'missing', 'behind')),
  set_aside text not null,
  pages integer not null,
  unreadable_pages integer not null,
  read_at text
) strict;
create table recovery_items (
  report_id text not null references recovery_reports (id) on delete cascade,
  kind text not null,
  subject_id text not null,
  is_recovered integer not null,
  client_id text,
  session_id text,
  date text,
  primary key (report_id, kind, subject_id)
) strict, without rowid;
`
