/** Earlier states of notes on this computer. A note that exists already starts with the state it has. */
export const noteVersions = `
create table note_versions (
  number integer primary key autoincrement,
  session_id text not null,
  note_id text not null,
  step text not null,
  by text,
  begun_at text not null,
  at text not null,
  template text not null,
  sections text not null,
  omissions text not null
) strict;
create index note_versions_by_session on note_versions (session_id, number);
insert into note_versions (session_id, note_id, step, by, begun_at, at, template, sections, omissions)
  select session_id, id, iif(signature is null, 'edited', 'signed'), signature ->> 'by', updated_at, updated_at,
    template, sections, omissions
  from notes;
`
