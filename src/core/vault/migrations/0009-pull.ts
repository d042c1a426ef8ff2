export const pull = `
create table pull_service (
  id integer primary key check (id = 1),
  address text not null,
  -- Where its change feed is read on; null where it has none.
  cursor text,
  -- The last change that was told, and the cursor it came after: told otherwise, the service was put back.
  anchor text,
  told text,
  -- It was put back to an earlier state, and is told again what it lost: the latest that was seen of it before.
  behind_since text
) strict;

create table pull_lists (
  kind text primary key,
  since text not null,
  cursor text,
  newest text,
  pages integer not null default 0,
  state text not null check (state in ('walking', 'done', 'refused')),
  done_at text
) strict;

create table pull_wanted (
  kind text not null,
  id text not null,
  version integer not null,
  changed_at text,
  held text check (held in ('parent', 'unreadable', 'failed')),
  parent_kind text,
  parent_id text,
  primary key (kind, id)
) strict;
create index pull_wanted_by_parent on pull_wanted (parent_kind, parent_id) where parent_id is not null;

create table pull_unlisted (
  kind text not null,
  id text not null,
  is_sure integer not null,
  primary key (kind, id)
) strict, without rowid;
`
