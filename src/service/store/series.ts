import type { Database, Tables, Write } from './tables.ts'

const columns = [
  'series_sessions.session_id',
  'series_sessions.series_id',
  'series_sessions.wall',
  'series_sessions.time_zone',
  'series_sessions.tz_version',
  'series_sessions.starts_at',
] as const

export type SeriesWall = Omit<Tables['series_sessions'], 'practice_id'>

/** Stores the local time of a session in a series, which stays the same when the zone's rules change. */
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
