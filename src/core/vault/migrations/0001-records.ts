/** Nested fields are stored as JSON. `service_version` is null for a record that the service is not known to have. */
export const records = `
create table clients (
  id text primary key,
  display_name text not null,
  given_name text,
  family_name text,
  pronouns text,
  date_of_birth text,
  email text,
  phone text,
  status text not null,
  clinician_id text,
  diagnoses text not null,
  insurance text,
  search_name text not null,
  created_at text not null,
  updated_at text not null,
  version integer not null,
  service_version integer
) strict;

create table sessions (
  id text primary key,
  client_id text not null references clients (id),
  session_type text not null,
  starts_at text not null,
  duration_minutes integer not null,
  modality text not null,
  clinician_id text,
  status text not null,
  participants text not null,
  time_zone text not null,
  recurrence text,
  room_id text,
  cpt_code text,
  presenting_concerns text not null,
  ends_at text not null,
  started_at text,
  finished_at text,
  series_id text,
  occurrence_start text,
  created_at text not null,
  updated_at text not null,
  version integer not null,
  service_version integer
) strict;
create index sessions_by_client on sessions (client_id, starts_at, id);
create index sessions_by_start on sessions (starts_at);

create table consents (
  id text primary key,
  client_id text not null references clients (id),
  participant text not null,
  participant_key text not null,
  scopes text not null,
  text_version text not null,
  language text not null,
  method text not null,
  given_at text not null,
  witness text,
  revoked_at text,
  created_at text not null,
  updated_at text not null,
  version integer not null,
  service_version integer
) strict;
create index consents_by_client on consents (client_id);

create table transcripts (
  id text primary key,
  session_id text not null unique references sessions (id),
  language text,
  duration_ms integer,
  speakers text not null,
  engine text not null,
  created_at text not null,
  updated_at text not null,
  version integer not null,
  service_version integer
) strict;

-- rowid holds the session's start, so that the newest words are found first without sorting.
create table segments (
  row integer primary key,
  transcript_id text not null references transcripts (id) on delete cascade,
  session_id text not null,
  id text not null,
  speaker_id text,
  start_ms integer,
  end_ms integer,
  text text not null,
  confidence real,
  words text,
  edited integer not null
) strict;
create index segments_by_transcript on segments (transcript_id, row);

create virtual table segment_words using fts5 (
  text, content = 'segments', content_rowid = 'row', prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
create trigger segments_added after insert on segments begin
  insert into segment_words (rowid, text) values (new.row, new.text);
end;
create trigger segments_removed after delete on segments begin
  insert into segment_words (segment_words, rowid, text) values ('delete', old.row, old.text);
end;

create table notes (
  id text primary key,
  session_id text not null unique references sessions (id),
  client_id text not null references clients (id),
  template text not null,
  status text not null,
  to_check integer not null,
  sections text not null,
  unsupported text not null,
  omissions text not null,
  checks text not null,
  engine text not null,
  signature text,
  addenda text not null,
  created_at text not null,
  updated_at text not null,
  version integer not null,
  service_version integer
) strict;

-- Long work: one row for each session and kind.
create table work (
  session_id text not null references sessions (id),
  kind text not null check (kind in ('transcribe', 'draft')),
  state text not null check (state in ('idle', 'waiting', 'running', 'failed')),
  progress real not null,
  error text,
  primary key (session_id, kind)
) strict;

create table outbox (
  sequence integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  client_id text not null,
  session_id text,
  subject_id text not null,
  body text not null,
  idempotency_key text not null,
  state text not null check (state in ('waiting', 'polling', 'needs_you')),
  operation_id text,
  attempts integer not null default 0,
  error text,
  created_at text not null
) strict;
create index outbox_by_client on outbox (client_id, sequence);
create index outbox_by_subject on outbox (subject_id, sequence);

create table audit (
  sequence integer primary key,
  at text not null,
  action text not null,
  subject_id text not null,
  client_id text,
  outcome text not null,
  previous_hash text not null,
  hash text not null
) strict;

create table settings (
  name text primary key,
  value text not null
) strict, without rowid;
`
