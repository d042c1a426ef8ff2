import type { StoreMigration } from './migration.ts'

const takesUpTime = "status in ('proposed', 'scheduled', 'in_progress') and deleted_at is null"

export const oneBooking: StoreMigration = {
  version: 12,
  sql: ({ only }) =>
    `${only(
      'postgres',
      `
create extension if not exists btree_gist;
create function session_span(starts_at text, ends_at text) returns tstzrange language sql immutable strict parallel safe as
$$ select tstzrange(starts_at::timestamptz, ends_at::timestamptz, '[)') $$;
${[
  ['client', 'client_id with =', ''],
  // Null means the practice's only clinician.
  ['clinician', "coalesce(clinician_id, '') with =", ''],
  ['room', 'room_id with =', ' and room_id is not null'],
]
  .map(
    ([
      whose,
      column,
      where,
    ]) => `alter table sessions add constraint sessions_once_per_${whose} exclude using gist (practice_id with =, ${column}, session_span(starts_at, ends_at) with &&)
  where (${takesUpTime}${where});`,
  )
  .join('\n')}
`,
    )}${only(
      'sqlite',
      `
${['insert', 'update']
  .map(
    (
      change,
    ) => `create trigger sessions_once_on_${change} before ${change} on sessions when new.status in ('proposed', 'scheduled', 'in_progress') and new.deleted_at is null
begin
  select raise(abort, 'double booking') where exists (
    select 1 from sessions other where other.practice_id = new.practice_id and other.id <> new.id and other.${takesUpTime.replace('deleted_at', 'other.deleted_at')}
      and other.starts_at < new.ends_at and other.ends_at > new.starts_at
      and (other.client_id = new.client_id or other.clinician_id is new.clinician_id or other.room_id = new.room_id)
  );
end;`,
  )
  .join('\n')}
update clients set search_name = ${["'-'", "''''", "'’'", "'.'", "','", "'%'"].reduce((text, mark) => `replace(${text}, ${mark}, ' ' || ${mark} || ' ')`, 'search_name')};
`,
    )}`,
}
