export const speakerFacts = `
create table speaker_facts (
  session_id text primary key references sessions (id),
  recording_id text not null,
  facts text not null
) strict;
alter table segments add column voice text;
`

/** The table `work` is copied, because SQLite cannot alter a check constraint. */
export const insights = `
create table insights (
  session_id text primary key references sessions (id),
  client_id text not null references clients (id),
  -- The transcript it was made from, to see whether it changed since.
  transcript_id text not null,
  transcript_version integer not null,
  analysis text not null
) strict;
create index insights_by_client on insights (client_id);

create table cue_decisions (
  session_id text not null references sessions (id),
  cue_id text not null,
  decision text not null check (decision in ('asked', 'follow_up', 'no_concern')),
  reason text not null,
  decided_at text not null,
  primary key (session_id, cue_id)
) strict, without rowid;

create table work_of_three_kinds (
  session_id text not null references sessions (id),
  kind text not null check (kind in ('transcribe', 'draft', 'analyze')),
  state text not null check (state in ('idle', 'waiting', 'running', 'failed')),
  progress real not null,
  error text,
  primary key (session_id, kind)
) strict;
insert into work_of_three_kinds (session_id, kind, state, progress, error) select session_id, kind, state, progress, error from work;
drop table work;
alter table work_of_three_kinds rename to work;
`

export const templates = `
create table templates (
  id text primary key,
  body text not null,
  created_at text not null,
  updated_at text not null,
  version integer not null check (version >= 1),
  removed_at text
) strict;
`

export const clientContext = `
alter table clients add column goals text not null default '[]';
alter table clients add column vocabulary text not null default '[]';
`

export const keptAnswers =
  'create table kept_answers (question text primary key, answer text not null, answered_at text not null) strict'

export const outboxTurns = `
      alter table outbox add column rank integer not null default 0;
      alter table outbox add column tried integer not null default 1;
      update outbox set rank = -1000000 where kind = 'revoke-consent';
      create index outbox_by_turn on outbox (rank, sequence);
      create index outbox_by_state on outbox (state, error);
      create table sync_state (name text primary key, value text not null) strict, without rowid;
    `
