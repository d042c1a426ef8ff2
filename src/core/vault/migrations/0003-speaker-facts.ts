export const speakerFacts = `
create table speaker_facts (
  session_id text primary key references sessions (id),
  recording_id text not null,
  facts text not null
) strict;
alter table segments add column voice text;
`
