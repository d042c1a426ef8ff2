const remove = `
  delete from note_words where rowid in (select rowid from note_words where note_words match 'note_id : "' || old.id || '"');`
const add = `
  insert into note_words (text, note_id, statement_id)
  select statement.value ->> 'text', new.id, statement.value ->> 'id'
  from json_each(new.sections) as section, json_each(section.value -> 'statements') as statement
  union all select value ->> 'text', new.id, value ->> 'id' from json_each(new.addenda);`

/** The statements and addenda of all notes. `note_id` is indexed, so that the triggers find the rows of a note. */
export const noteWords = `
create virtual table note_words using fts5 (
  text, note_id, statement_id unindexed, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
create trigger notes_added after insert on notes begin ${add} end;
create trigger notes_changed after update of sections, addenda on notes begin ${remove} ${add} end;
create trigger notes_removed after delete on notes begin ${remove} end;
update notes set sections = sections;
`
