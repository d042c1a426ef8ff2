import { AppError } from '#contract/errors.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import { MAX_SESSION_MINUTES } from '#contract/model/session.ts'
import type { Condition } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write, RecordColumns } from './tables.ts'
import type { SealedText } from './sealed.ts'

interface AvailabilityTable extends RecordColumns {
  /** Null for the whole practice or a room. */
  clinician_id: string | null
}

interface ScheduleProposalTable {
  id: string
  practice_id: string
  person_id: string
  body: SealedText
  expires_at: string
  booked: string | null
}

interface SeriesSessionTable {
  session_id: string
  practice_id: string
  series_id: string
  /** Local time in `time_zone`; stays the same when the zone's rules change. */
  wall: string
  time_zone: string
  /** Version of the time zone database that `starts_at` was computed with. */
  tz_version: string
  starts_at: string
}

interface SessionClientTable {
  session_id: string
  client_id: string
  practice_id: string
}

export interface ScheduleTables {
  rooms: RecordColumns
  availability: AvailabilityTable
  schedule_proposals: ScheduleProposalTable
  series_sessions: SeriesSessionTable
  session_clients: SessionClientTable
}

export const booked = ['proposed', 'scheduled', 'in_progress']

interface BookedRow {
  readonly id: string
  readonly client_id: string
  readonly clinician_id: string | null
  readonly room_id: string | null
  readonly status: string
  readonly starts_at: string
  readonly ends_at: string
}

/** Earliest start of a session that can still be running at `time`, which limits the index scan. */
export function longestBefore(time: string): string {
  return new Date(Date.parse(time) - MAX_SESSION_MINUTES * 60_000).toISOString()
}

export function bookedBetween(db: Database, practice: string, from: string, to: string): Promise<BookedRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'client_id', 'clinician_id', 'room_id', 'status', 'starts_at', 'ends_at'])
    .where('practice_id', '=', practice)
    .where('deleted_at', 'is', null)
    .where('status', 'in', booked)
    .where('starts_at', '<', to)
    .where('starts_at', '>', longestBefore(from))
    .where('ends_at', '>', from)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
}

export async function shownBetween(
  db: Database,
  practice: string,
  conditions: readonly Condition[],
  from: string,
  to: string,
): Promise<ReadonlySet<string> | null> {
  if (conditions.length === 0) return null
  let select = db
    .selectFrom('sessions')
    .select('sessions.id')
    .where('practice_id', '=', practice)
    .where('starts_at', '<', to)
    .where('starts_at', '>', longestBefore(from))
    .where('ends_at', '>', from)
  for (const condition of conditions) select = select.where(condition)
  return new Set((await select.execute()).map(({ id }) => id))
}

export async function otherClients(db: Database, practice: string, from: string, to: string): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('session_clients')
    .innerJoin('sessions', 'sessions.id', 'session_clients.session_id')
    .select(['session_clients.session_id', 'session_clients.client_id'])
    .where('session_clients.practice_id', '=', practice)
    .where('sessions.starts_at', '<', to)
    .where('sessions.starts_at', '>', longestBefore(from))
    .where('sessions.ends_at', '>', from)
    .orderBy('session_clients.client_id')
    .execute()
  const found = new Map<string, string[]>()
  for (const { session_id, client_id } of rows) found.set(session_id, [...(found.get(session_id) ?? []), client_id])
  return found
}

export async function othersAt(db: Database, practice: string, session: string): Promise<string[]> {
  const rows = await db
    .selectFrom('session_clients')
    .select('client_id')
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .orderBy('client_id')
    .execute()
  return rows.map(({ client_id }) => client_id)
}

/** Newest first, in Unix milliseconds. */
export async function latelyOf(db: Database, practice: string, client: string, before: string, since: string): Promise<number[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('starts_at')
    .where('practice_id', '=', practice)
    .where('client_id', '=', client)
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['scheduled', 'in_progress', 'completed'])
    .where('starts_at', '<', before)
    .where('starts_at', '>=', since)
    .orderBy('starts_at', 'desc')
    .limit(12)
    .execute()
  return rows.map(({ starts_at }) => Date.parse(starts_at))
}

interface KeptOffer {
  readonly id: string
  readonly body: string
  readonly expires_at: string
  readonly booked: string | null
}

export async function insertOffers(db: Write, practice: string, person: string, offers: readonly KeptOffer[]): Promise<void> {
  if (offers.length === 0) return
  await db
    .insertInto('schedule_proposals')
    .values(offers.map((offer) => ({ ...offer, body: sealed(offer.body), practice_id: practice, person_id: person })))
    .execute()
}

export async function findOffer(db: Database, practice: string, person: string, id: string): Promise<KeptOffer | null> {
  const row = await db
    .selectFrom('schedule_proposals')
    .select(['id', 'body', 'expires_at', 'booked'])
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function markBooked(db: Write, practice: string, id: string, result: string, body: string): Promise<void> {
  await db
    .updateTable('schedule_proposals')
    .set({ booked: result, body: sealed(body) })
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .execute()
}

/** Booked ones stay for 90 days, in case the same call is replayed. */
export async function dropOffers(db: Write, practice: string, now: string): Promise<void> {
  const kept = new Date(Date.parse(now) - 90 * 86_400_000).toISOString()
  await db
    .deleteFrom('schedule_proposals')
    .where('practice_id', '=', practice)
    .where((where) =>
      where.or([where.and([where('expires_at', '<', now), where('booked', 'is', null)]), where('expires_at', '<', kept)]),
    )
    .execute()
}

export async function bookedAnswer(db: Database, practice: string, id: string): Promise<ScheduleAnswer | null> {
  const row = await db
    .selectFrom('schedule_proposals')
    .select('booked')
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.booked === null) return null
  const kept = JSON.parse(row.booked) as ScheduleAnswer
  const now = async (those: readonly { id: string }[] = []) =>
    versionsOf(
      db,
      practice,
      those.map((one) => one.id),
    )
  const appointments = await now(kept.appointments)
  return { ...kept, appointments, appointment: appointments[0] ?? null, moved: await now(kept.moved) }
}

export async function versionsOf(
  db: Database,
  practice: string,
  ids: readonly string[],
): Promise<{ id: string; version: number }[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'version', 'deleted_at'])
    .where('practice_id', '=', practice)
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined || row.deleted_at !== null) throw new AppError('gone')
    return { id, version: row.version }
  })
}

export async function insertOthers(db: Write, practice: string, session: string, clients: readonly string[]): Promise<void> {
  if (clients.length === 0) return
  await db
    .insertInto('session_clients')
    .values(clients.map((client_id) => ({ session_id: session, client_id, practice_id: practice })))
    .execute()
}

/** Cancels sessions that are about to move, so that they do not block each other; the caller then writes them again. */
export async function liftSessions(db: Write, practice: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ status: 'cancelled' })
    .where('practice_id', '=', practice)
    .where('id', 'in', ids)
    .execute()
}
