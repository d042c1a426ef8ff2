import { type Selectable, sql, type SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Availability } from '#contract/model/availability.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import { MAX_SESSION_MINUTES } from '#contract/model/common.ts'
import { type Condition, deleteIn, type Filtered, recordsIn, selectIn, updateIn } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Tables, Write } from './tables.ts'

export const booked = ['proposed', 'scheduled', 'in_progress']

/** Every session that is still running at `time` started after this moment, which limits the index scan. */
export function longestBefore(time: string): string {
  return new Date(Date.parse(time) - MAX_SESSION_MINUTES * 60_000).toISOString()
}

const overlapping = (db: Database, practice: string, from: string, to: string) =>
  selectIn(db, 'sessions', practice)
    .where('starts_at', '<', to)
    .where('starts_at', '>', longestBefore(from))
    .where('ends_at', '>', from)

export function bookedBetween(db: Database, practice: string, from: string, to: string) {
  return overlapping(db, practice, from, to)
    .select(['id', 'client_id', 'clinician_id', 'room_id', 'status', 'starts_at', 'ends_at'])
    .where('deleted_at', 'is', null)
    .where('status', 'in', booked)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
}

export async function shownBetween(db: Database, practice: string, conditions: readonly Condition[], from: string, to: string) {
  if (conditions.length === 0) return null
  let select = overlapping(db, practice, from, to).select('sessions.id')
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

export async function latelyOf(db: Database, practice: string, client: string, before: string, since: string): Promise<number[]> {
  const rows = await selectIn(db, 'sessions', practice)
    .select('starts_at')
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

type KeptOffer = Omit<Selectable<Tables['schedule_proposals']>, 'practice_id' | 'person_id'>

export async function insertOffers(db: Write, practice: string, person: string, offers: readonly KeptOffer[]): Promise<void> {
  if (offers.length === 0) return
  const rows = offers.map((offer) => ({ ...offer, body: sealed(offer.body), practice_id: practice, person_id: person }))
  await db.insertInto('schedule_proposals').values(rows).execute()
}

export async function findOffer(db: Database, practice: string, person: string, id: string): Promise<KeptOffer | null> {
  const offers = selectIn(db, 'schedule_proposals', practice).select(['id', 'body', 'expires_at', 'booked'])
  return (await offers.where('person_id', '=', person).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function markBooked(db: Write, practice: string, id: string, result: string, body: string): Promise<void> {
  const change = { booked: result, body: sealed(body) }
  await updateIn(db, 'schedule_proposals', practice).set(change).where('id', '=', id).execute()
}

/** Deletes expired offers. A booked offer stays until 90 days after its expiry, in case the same call is replayed. */
export async function dropOffers(db: Write, practice: string, now: string): Promise<void> {
  const kept = new Date(Date.parse(now) - 90 * 86_400_000).toISOString()
  await deleteIn(db, 'schedule_proposals', practice)
    .where((where) =>
      where.or([where.and([where('expires_at', '<', now), where('booked', 'is', null)]), where('expires_at', '<', kept)]),
    )
    .execute()
}

export async function bookedAnswer(db: Database, practice: string, id: string): Promise<ScheduleAnswer | null> {
  const row = await selectIn(db, 'schedule_proposals', practice).select('booked').where('id', '=', id).executeTakeFirst()
  if (row === undefined || row.booked === null) return null
  const kept = JSON.parse(row.booked) as ScheduleAnswer
  const now = (those: readonly { id: string }[] = []) =>
    versionsOf(
      db,
      practice,
      those.map((one) => one.id),
    )
  const appointments = await now(kept.appointments)
  return { ...kept, appointments, appointment: appointments[0] ?? null, moved: await now(kept.moved) }
}

export async function versionsOf(db: Database, practice: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await selectIn(db, 'sessions', practice).select(['id', 'version', 'deleted_at']).where('id', 'in', ids).execute()
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined || row.deleted_at !== null) throw new AppError('gone')
    return { id, version: row.version }
  })
}

/** Cancels sessions that are about to move, so that they do not block each other; the caller then writes them again. */
export async function liftSessions(db: Write, practice: string, ids: readonly string[]): Promise<void> {
  await updateIn(db, 'sessions', practice).set({ status: 'cancelled' }).where('id', 'in', ids).execute()
}

export const { get: getRoom, find: findRoom, list: listRooms, all: allRooms, put: putRoom } = recordsIn('rooms')

export const {
  get: getAvailability,
  find: findAvailability,
  list: listAvailability,
  all: allAvailability,
  insert: insertAvailability,
  put: putAvailability,
} = recordsIn('availability', {
  columns: (one) => ({ clinician_id: clinicianOf(one) }),
  narrow: ({ clinician_id: of }: Filtered<'clinician_id'>) =>
    of === undefined ? [] : [sql<SqlBool>`(clinician_id = ${of} or clinician_id is null)`],
})

export const clinicianOf = (one: Pick<Availability, 'kind'> & { clinician_id?: string }): string | null =>
  one.clinician_id ?? null
