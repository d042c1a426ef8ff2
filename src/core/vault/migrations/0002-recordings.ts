/** `session_id` has no foreign key, because a recording of an unknown session is kept. */
export const recordings = `
create table recordings (
  id text primary key,
  session_id text not null,
  state text not null check (state in ('recording', 'paused', 'interrupted', 'finished', 'erased')),
  was_paused integer not null default 0,
  window_id text not null,
  device_label text not null,
  header blob,
  started_at text not null,
  interrupted_at text,
  finished_at text,
  erased_at text,
  saved_ms integer not null,
  bytes integer not null,
  gaps text not null,
  lost_ms_at_most integer,
  ogg_bytes integer,
  ogg_sha256 text,
  peaks blob
) strict;
create index recordings_by_session on recordings (session_id);
create unique index recordings_one_active on recordings ((1)) where state in ('recording', 'paused');

create table recording_marks (
  id text primary key,
  recording_id text not null references recordings (id) on delete cascade,
  at_ms integer not null,
  text text not null,
  created_at text not null
) strict;
create index recording_marks_by_recording on recording_marks (recording_id, at_ms);
`
