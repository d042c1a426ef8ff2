export const moving = `
create table moving (
  id integer primary key check (id = 1),
  phase text not null check (phase in ('looked', 'sending', 'checked', 'confirmed', 'undone')),
  -- Null: the service inside this app.
  address text,
  person_id text,
  is_owner integer not null default 0,
  therapist_id text not null,
  therapist_before text,
  look text,
  again text not null default 'new' check (again in ('new', 'refused', 'all')),
  old_store text not null default 'in_use' check (old_store in ('in_use', 'kept', 'erasing', 'erased')),
  changed_at text not null
) strict;

create table moving_records (
  kind text not null,
  id text not null,
  local_version integer,
  there_version integer,
  is_checked integer not null default 0,
  problem text,
  fields text not null default '[]',
  primary key (kind, id)
) strict, without rowid;
create index moving_records_progress on moving_records (kind, local_version, is_checked, problem);

create table moving_sent (
  kind text not null,
  id text not null,
  sent text not null,
  primary key (kind, id)
) strict, without rowid;

-- Which versions stand here is asked again and again on the way; the records themselves are large.
create index clients_versions on clients (id, created_at, version);
create index consents_versions on consents (id, client_id, given_at, version);
create index sessions_versions on sessions (id, client_id, starts_at, version);
create index transcripts_versions on transcripts (id, session_id, version);
create index notes_versions on notes (id, session_id, client_id, version);
create index notes_by_template on notes (template);
`
