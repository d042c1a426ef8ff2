import type { StoreMigration } from './migration.ts'

/** Sessions last a day at most, so the check for overlaps only needs sessions that began within the previous day. */
export const bookingLooksBackADay: StoreMigration = {
  version: 15,
  minSafeVersion: 12,
  sql: ({ only }) => only('sqlite', ['insert', 'update'].map(once).join('\n')),
}

const takesUpTime = (session: string): string =>
  `${session}.status in ('proposed', 'scheduled', 'in_progress') and ${session}.deleted_at is null`

const once = (change: string): string => `drop trigger sessions_once_on_${change};
create trigger sessions_once_on_${change} before ${change} on sessions when ${takesUpTime('new')}
begin
  select raise(abort, 'double booking') where exists (
    select 1 from sessions other where other.practice_id = new.practice_id and other.id <> new.id and ${takesUpTime('other')}
      and other.starts_at < new.ends_at and other.ends_at > new.starts_at
      and other.starts_at > strftime('%Y-%m-%dT%H:%M:%fZ', new.starts_at, '-1 day')
      and (other.client_id = new.client_id or other.clinician_id is new.clinician_id or other.room_id = new.room_id)
  );
end;`
