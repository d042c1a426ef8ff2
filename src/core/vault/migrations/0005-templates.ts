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
