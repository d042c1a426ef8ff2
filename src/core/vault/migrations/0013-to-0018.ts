export const localOnly = `
create table kept_here (
  sequence integer primary key,
  kind text not null,
  subject_id text not null,
  client_id text not null,
  session_id text,
  body text not null,
  unique (kind, subject_id)
) strict;
create index kept_here_by_client on kept_here (client_id);
create table heard_pieces (
  intent_id text not null references outbox (id) on delete cascade,
  number integer not null,
  start_ms integer not null,
  end_ms integer not null,
  transcript text not null,
  primary key (intent_id, number)
) strict;
-- What a service keeps of each piece; it outlasts the intent, since it may still be told of.
create table piece_transcripts (id text primary key) strict, without rowid;
`

export const sentToday = `
create table sent_today (
  kind text not null,
  subject_id text not null,
  client_id text not null,
  session_id text,
  -- Names of the fields that were changed; never what they say.
  fields text not null,
  sent_at text not null,
  primary key (kind, subject_id)
) strict, without rowid;
create index sent_today_by_time on sent_today (sent_at);
`

export const redactedNotes = 'alter table notes add column redacted text;'

const fillSession = (kind: string): string => `
update common_versions set record = json_set(record, '$.session_id', of.session_id) from ${kind}s as of
  where common_versions.kind = '${kind}' and of.id = common_versions.id and record is not null
    and json_extract(record, '$.session_id') is null;`

export const agreedSessions = ['transcript', 'note'].map(fillSession).join('\n')

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

export const checkedRecordings = `
      alter table recordings add column unreadable text;
      alter table recordings add column checked_at text;
      alter table recordings add column dismissed_ms integer not null default 0;`
