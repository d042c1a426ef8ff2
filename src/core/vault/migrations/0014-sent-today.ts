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
