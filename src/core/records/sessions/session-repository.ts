import type { Session } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { jsonRows, serviceVersions } from '#core/records/rows.ts'

export type SessionRepository = ReturnType<typeof createSessionRepository>

const { toRow, fromRow } = jsonRows<Session>(['participants', 'recurrence', 'presenting_concerns'])
const fields = `id, client_id, session_type, starts_at, duration_minutes, modality, clinician_id, status, participants, time_zone,
  recurrence, room_id, cpt_code, presenting_concerns, ends_at, started_at, finished_at, series_id, occurrence_start, created_at,
  updated_at, version`
export const sessionColumns = fields.split(/,\s+/)

export function createSessionRepository(db: Sqlite) {
  const find = db.prepare(`select ${fields} from sessions where id = ?`)
  const insert = db.prepare(`insert into sessions (${fields}) values (${sessionColumns.map((name) => `@${name}`).join(', ')})`)
  const changing = sessionColumns.filter((name) => !['id', 'client_id', 'created_at'].includes(name))
  const update = db.prepare(`update sessions set ${changing.map((name) => `${name} = @${name}`).join(', ')} where id = @id`)
  const overlaps = db.prepare(`
    select 1 from sessions
    where id <> @id and status in ('proposed', 'scheduled', 'in_progress') and starts_at < @ends_at and ends_at > @starts_at limit 1`)
  return {
    find: (id: string) => fromRow(find.get(id)),
    insert: (session: Session): void => void insert.run(toRow(session)),
    update: (session: Session): void => void update.run(toRow(session)),
    overlaps: ({ id, starts_at, ends_at }: Pick<Session, 'id' | 'starts_at' | 'ends_at'>) =>
      overlaps.get({ id, starts_at, ends_at }) !== undefined,
    ...serviceVersions(db, 'sessions'),
  }
}

export const sessionFromRow = (row: object): Session => fromRow(row)!
