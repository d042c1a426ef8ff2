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
