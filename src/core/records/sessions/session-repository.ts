import type { Session } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'

export interface SessionRepository {
  find(id: string): Session | null
  insert(session: Session): void
  update(session: Session): void
  overlaps(session: Pick<Session, 'id' | 'starts_at' | 'ends_at'>): boolean
  serviceVersion(id: string): number | null
  keepServiceVersion(id: string, version: number): void
}

const jsonColumns = ['participants', 'recurrence', 'presenting_concerns'] as const
export const sessionColumns = [
  'id',
  'client_id',
  'session_type',
  'starts_at',
  'duration_minutes',
  'modality',
  'clinician_id',
  'status',
  'participants',
  'time_zone',
  'recurrence',
  'room_id',
  'cpt_code',
  'presenting_concerns',
  'ends_at',
  'started_at',
  'finished_at',
  'series_id',
  'occurrence_start',
  'created_at',
  'updated_at',
  'version',
] as const

export function createSessionRepository(db: Sqlite): SessionRepository {
  const fields = sessionColumns.join(', ')
  const find = db.prepare(`select ${fields} from sessions where id = ?`)
  const insert = db.prepare(`insert into sessions (${fields}) values (${sessionColumns.map((name) => `@${name}`).join(', ')})`)
  const changing = sessionColumns.filter((name) => !['id', 'client_id', 'created_at'].includes(name))
  const update = db.prepare(`update sessions set ${changing.map((name) => `${name} = @${name}`).join(', ')} where id = @id`)
  const overlaps = db.prepare(`
    select 1 from sessions
    where id <> @id and status in ('proposed', 'scheduled', 'in_progress') and starts_at < @ends_at and ends_at > @starts_at limit 1`)
  const readVersion = db.prepare('select service_version from sessions where id = ?').pluck()
  const keepVersion = db.prepare('update sessions set service_version = ? where id = ?')
  return {
    find(id) {
      const row = find.get(id)
      return row === undefined ? null : sessionFromRow(row)
    },
    insert: (session): void => void insert.run(toRow(session)),
    update: (session): void => void update.run(toRow(session)),
    overlaps: ({ id, starts_at, ends_at }) => overlaps.get({ id, starts_at, ends_at }) !== undefined,
    serviceVersion: (id) => (readVersion.get(id) as number | null | undefined) ?? null,
    keepServiceVersion: (id, version): void => void keepVersion.run(version, id),
  }
}

function toRow(session: Session): Record<string, unknown> {
  const json = jsonColumns.map((name) => [name, session[name] === null ? null : JSON.stringify(session[name])])
  return { ...session, ...Object.fromEntries(json) }
}

export function sessionFromRow(row: unknown): Session {
  const stored = row as Record<string, unknown>
  const json = jsonColumns.map((name) => [name, stored[name] === null ? null : JSON.parse(stored[name] as string)])
  return { ...stored, ...Object.fromEntries(json) } as Session
}
