import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import { insertOthers, othersAt } from './clients.ts'
import { type Filtered, having, isTaken, normalTime, recordsIn, selectIn, updateIn } from './records.ts'
import { booked, longestBefore } from './schedule.ts'
import type { Database, Tables, Write } from './tables.ts'

/** Only callers who may see the conflicting session get its id; see `namingTheOther`. */
export class DoubleBooking extends AppError {
  readonly whose: string
  readonly other: string

  constructor(whose: string, other: string) {
    super('double-booking', `${whose} is already booked at this time.`)
    this.whose = whose
    this.other = other
  }
}

const sessions = recordsIn('sessions', {
  columns: columnsOf,
  columnsOfNew: ({ client_id }) => ({ client_id }),
  narrow: ({ client_id, status }: Filtered<'client_id' | 'status'>) => [
    ...having('client_id', client_id),
    ...having('status', status),
  ],
})
export const { get: getSession, list: listSessions } = sessions

export async function sessionBefore(db: Database, practice: string, session: Session): Promise<Session | null> {
  const row = await selectIn(db, 'sessions', practice)
    .select('id')
    .where('client_id', '=', session.client_id)
    .where('id', '!=', session.id)
    .where('starts_at', '<', normalTime(session.starts_at))
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('transcripts')
          .select('transcripts.id')
          .whereRef('transcripts.session_id', '=', 'sessions.id')
          .where('transcripts.deleted_at', 'is', null),
      ),
    )
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : getSession(db, practice, row.id)
}

export async function insertSession(db: Write, practice: string, session: Session, others: readonly string[] = []) {
  if (await isTaken(db, 'sessions', session.id)) throw new AppError('already-exists')
  await refuseDoubleBooking(db, practice, session, others)
  await sessions.insert(db, practice, session)
  await insertOthers(db, practice, session.id, others)
}

export async function updateSession(db: Write, practice: string, session: Session): Promise<void> {
  await refuseDoubleBooking(db, practice, session, await othersAt(db, practice, session.id))
  await sessions.update(db, practice, session)
}

/** Runs inside the write transaction, whose lock prevents two bookings from both finding the slot free. */
async function refuseDoubleBooking(db: Write, practice: string, session: Session, others: readonly string[]): Promise<void> {
  if (!booked.includes(session.status)) return
  const mine = columnsOf(session)
  const clients = [session.client_id, ...others]
  const other = await selectIn(db, 'sessions', practice)
    .select(['id', 'client_id', 'clinician_id', 'room_id'])
    .where('deleted_at', 'is', null)
    .where('id', '!=', session.id)
    .where('status', 'in', booked)
    .where('starts_at', '<', mine.ends_at)
    .where('starts_at', '>', longestBefore(mine.starts_at))
    .where('ends_at', '>', mine.starts_at)
    .where((where) =>
      where.or([
        where('client_id', 'in', clients),
        where.exists(
          where
            .selectFrom('session_clients')
            .select('session_clients.client_id')
            .whereRef('session_clients.session_id', '=', 'sessions.id')
            .where('session_clients.client_id', 'in', clients),
        ),
        // Sessions without a clinician count as sessions of one and the same clinician.
        where('clinician_id', 'is not distinct from', mine.clinician_id),
        ...(mine.room_id === null ? [] : [where('room_id', '=', mine.room_id)]),
      ]),
    )
    .executeTakeFirst()
  if (other === undefined) return
  const isRoom = mine.room_id !== null && other.room_id === mine.room_id && !clients.includes(other.client_id)
  throw new DoubleBooking(
    other.clinician_id === mine.clinician_id ? 'The clinician' : isRoom ? 'The room' : 'The client',
    other.id,
  )
}

function columnsOf(session: Session) {
  return {
    clinician_id: session.clinician_id,
    room_id: session.room_id,
    status: session.status,
    starts_at: normalTime(session.starts_at),
    ends_at: normalTime(session.ends_at),
  }
}

export type SeriesWall = Omit<Tables['series_sessions'], 'practice_id'>

const wallColumns = ['session_id', 'series_id', 'wall', 'time_zone', 'tz_version', 'starts_at'] as const

export async function keepWall(db: Write, practice: string, wall: SeriesWall): Promise<void> {
  const row = { ...wall, practice_id: practice }
  await db.insertInto('series_sessions').values(row).execute()
}

export async function changeWall(db: Write, practice: string, session: string, change: Partial<SeriesWall>): Promise<void> {
  await updateIn(db, 'series_sessions', practice).set(change).where('session_id', '=', session).execute()
}

const wallsToCome = (db: Database, practice: string) =>
  db
    .selectFrom('series_sessions')
    .innerJoin('sessions', 'sessions.id', 'series_sessions.session_id')
    .select(wallColumns.map((name) => `series_sessions.${name}` as const))
    .where('series_sessions.practice_id', '=', practice)
    .where('sessions.deleted_at', 'is', null)
    .where('sessions.status', 'in', ['proposed', 'scheduled'])

export function followingOf(db: Database, practice: string, series: string, from: string): Promise<SeriesWall[]> {
  const following = wallsToCome(db, practice).where('series_sessions.series_id', '=', series)
  return following.where('series_sessions.wall', '>=', from).orderBy('series_sessions.wall').execute()
}

export async function wallOfSession(db: Database, practice: string, session: string): Promise<SeriesWall | null> {
  const walls = selectIn(db, 'series_sessions', practice).select(wallColumns)
  return (await walls.where('session_id', '=', session).executeTakeFirst()) ?? null
}

export async function practicesWithOutdatedWalls(db: Database, tzVersion: string, now: string): Promise<string[]> {
  const rows = await db
    .selectFrom('series_sessions')
    .select('practice_id')
    .distinct()
    // A condition with `!=` would not use the index.
    .where((where) => where.or([where('tz_version', '<', tzVersion), where('tz_version', '>', tzVersion)]))
    .where('starts_at', '>', now)
    .execute()
  return rows.map(({ practice_id }) => practice_id)
}

export function outdatedWalls(db: Database, practice: string, tzVersion: string, now: string, most: number) {
  return wallsToCome(db, practice)
    .where('series_sessions.tz_version', '!=', tzVersion)
    .where('series_sessions.starts_at', '>', now)
    .orderBy('series_sessions.starts_at')
    .orderBy('series_sessions.session_id')
    .limit(most)
    .execute()
}
