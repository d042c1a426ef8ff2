import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { changesOf, getRecord, having, isTaken, normalTime, pageOfRecords, rowOf } from './records.ts'
import { booked, insertOthers, longestBefore, othersAt } from './schedule.ts'
import type { Database, Write, Tables } from './tables.ts'

interface SessionQuery extends PageQuery {
  readonly client_id?: string | undefined
  readonly status?: string | undefined
}

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

export const getSession = (db: Database, practice: string, id: string): Promise<Session> =>
  getRecord(db, 'sessions', practice, id)

export function listSessions(
  db: Database,
  practice: string,
  query: SessionQuery,
  within: readonly Condition[] = [],
): Promise<Page<Session>> {
  return pageOfRecords(db, 'sessions', practice, query, [
    ...within,
    ...having('client_id', query.client_id),
    ...having('status', query.status),
  ])
}

export async function sessionBefore(db: Database, practice: string, session: Session): Promise<Session | null> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('practice_id', '=', practice)
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

export async function insertSession(
  db: Write,
  practice: string,
  session: Session,
  others: readonly string[] = [],
): Promise<void> {
  if (await isTaken(db, 'sessions', session.id)) throw new AppError('already-exists')
  await refuseDoubleBooking(db, practice, session, others)
  await db
    .insertInto('sessions')
    .values({ ...rowOf(practice, session), client_id: session.client_id, ...columnsOf(session) })
    .execute()
  await insertOthers(db, practice, session.id, others)
}

export async function updateSession(db: Write, practice: string, session: Session): Promise<void> {
  await refuseDoubleBooking(db, practice, session, await othersAt(db, practice, session.id))
  await db
    .updateTable('sessions')
    .set({ ...changesOf(session), ...columnsOf(session) })
    .where('practice_id', '=', practice)
    .where('id', '=', session.id)
    .execute()
}

/** Runs inside the write transaction, whose lock prevents two bookings from both finding the slot free. */
async function refuseDoubleBooking(db: Write, practice: string, session: Session, others: readonly string[]): Promise<void> {
  if (!booked.includes(session.status)) return
  const mine = columnsOf(session)
  const clients = [session.client_id, ...others]
  const other = await db
    .selectFrom('sessions')
    .select(['id', 'client_id', 'clinician_id', 'room_id'])
    .where('practice_id', '=', practice)
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
        // Null means the practice's only clinician.
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

const columns = [
  'series_sessions.session_id',
  'series_sessions.series_id',
  'series_sessions.wall',
  'series_sessions.time_zone',
  'series_sessions.tz_version',
  'series_sessions.starts_at',
] as const

export type SeriesWall = Omit<Tables['series_sessions'], 'practice_id'>

export async function keepWall(db: Write, practice: string, wall: SeriesWall): Promise<void> {
  await db
    .insertInto('series_sessions')
    .values({ ...wall, practice_id: practice })
    .execute()
}

export async function changeWall(db: Write, practice: string, session: string, change: Partial<SeriesWall>): Promise<void> {
  await db
    .updateTable('series_sessions')
    .set(change)
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .execute()
}

export async function followingOf(db: Database, practice: string, series: string, from: string): Promise<SeriesWall[]> {
  return db
    .selectFrom('series_sessions')
    .innerJoin('sessions', 'sessions.id', 'series_sessions.session_id')
    .select(columns)
    .where('series_sessions.practice_id', '=', practice)
    .where('series_sessions.series_id', '=', series)
    .where('series_sessions.wall', '>=', from)
    .where('sessions.deleted_at', 'is', null)
    .where('sessions.status', 'in', ['proposed', 'scheduled'])
    .orderBy('series_sessions.wall')
    .execute()
}

export async function wallOfSession(db: Database, practice: string, session: string): Promise<SeriesWall | null> {
  const row = await db
    .selectFrom('series_sessions')
    .select(['session_id', 'series_id', 'wall', 'time_zone', 'tz_version', 'starts_at'])
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .executeTakeFirst()
  return row ?? null
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

export async function outdatedWalls(
  db: Database,
  practice: string,
  tzVersion: string,
  now: string,
  most: number,
): Promise<SeriesWall[]> {
  return db
    .selectFrom('series_sessions')
    .innerJoin('sessions', 'sessions.id', 'series_sessions.session_id')
    .select(columns)
    .where('series_sessions.practice_id', '=', practice)
    .where('series_sessions.tz_version', '!=', tzVersion)
    .where('series_sessions.starts_at', '>', now)
    .where('sessions.deleted_at', 'is', null)
    .where('sessions.status', 'in', ['proposed', 'scheduled'])
    .orderBy('series_sessions.starts_at')
    .orderBy('series_sessions.session_id')
    .limit(most)
    .execute()
}
