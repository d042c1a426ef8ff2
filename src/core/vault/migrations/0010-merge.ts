export const merge = `
-- What a practice's service and this laptop last agreed on; of a document its fingerprint. Null: it was erased there.
create table common_versions (
  kind text not null,
  id text not null,
  version integer not null,
  record text,
  primary key (kind, id)
) strict, without rowid;

-- A resolved one stays, with both versions, as long as its record does.
create table conflicts (
  id text primary key,
  kind text not null check (kind in ('fields', 'document', 'erased', 'booking')),
  record_kind text not null,
  record_id text not null,
  client_id text,
  session_id text,
  -- Counts the changes of the other side.
  version integer not null,
  body text not null,
  found_at text not null,
  resolved_at text,
  choice text
) strict;
create unique index conflicts_one_open on conflicts (record_kind, record_id) where resolved_at is null;
create index conflicts_by_client on conflicts (client_id);
`
