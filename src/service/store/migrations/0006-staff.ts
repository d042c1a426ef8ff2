import type { StoreMigration } from './migration.ts'

export const staff: StoreMigration = {
  version: 6,
  sql: ({ strict, text, integer, isolate }) => {
    const record = `
  id ${text} primary key, practice_id ${text} not null references practices (id), body ${text} not null, created_at ${text} not null,
  updated_at ${text} not null, version ${integer} not null check (version >= 1), deleted_at ${text}`
    return `
create table staff (${record}, supervisor_id ${text}, status ${text} not null check (status in ('active', 'left')))${strict};
create index staff_created on staff (practice_id, created_at, id);
create index staff_updated on staff (practice_id, updated_at, id);
create index staff_by_supervisor on staff (practice_id, supervisor_id);
${isolate('staff')}
create table break_glass (
  ${record}, person_id ${text} not null, client_id ${text} not null references clients (id), ends_at ${text} not null, reviewed_at ${text}
)${strict};
create index break_glass_created on break_glass (practice_id, created_at, id);
create index break_glass_updated on break_glass (practice_id, updated_at, id);
create index break_glass_by_person on break_glass (practice_id, person_id, ends_at);
${isolate('break_glass')}
alter table transcripts add column author_id ${text};
alter table notes add column author_id ${text};
alter table analyses add column author_id ${text};
`
  },
}
