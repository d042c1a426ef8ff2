import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Availability, Room } from '#contract/model/availability.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { changesOf, findRecord, getRecord, itemsOf, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export const getRoom = (db: Database, practice: string, id: string): Promise<Room> => getRecord(db, 'rooms', practice, id)
export const findRoom = (db: Database, practice: string, id: string): Promise<Room | null> =>
  findRecord(db, 'rooms', practice, id)
export const listRooms = (db: Database, practice: string, query: PageQuery): Promise<Page<Room>> =>
  pageOfRecords(db, 'rooms', practice, query)
export const allRooms = (db: Database, practice: string): Promise<Room[]> => itemsOf(db, 'rooms', practice)

export async function insertRoom(db: Write, practice: string, room: Room): Promise<void> {
  await db.insertInto('rooms').values(rowOf(practice, room)).execute()
}

export async function updateRoom(db: Write, practice: string, room: Room): Promise<void> {
  await db.updateTable('rooms').set(changesOf(room)).where('practice_id', '=', practice).where('id', '=', room.id).execute()
}

export const getAvailability = (db: Database, practice: string, id: string): Promise<Availability> =>
  getRecord(db, 'availability', practice, id)
export const findAvailability = (db: Database, practice: string, id: string): Promise<Availability | null> =>
  findRecord(db, 'availability', practice, id)
export const allAvailability = (db: Database, practice: string): Promise<Availability[]> => itemsOf(db, 'availability', practice)

export function listAvailability(
  db: Database,
  practice: string,
  query: PageQuery & { readonly clinician_id?: string | undefined },
  within: readonly Condition[],
): Promise<Page<Availability>> {
  const of = query.clinician_id
  const named = of === undefined ? [] : [sql<SqlBool>`(clinician_id = ${of} or clinician_id is null)`]
  return pageOfRecords(db, 'availability', practice, query, [...within, ...named])
}

export async function insertAvailability(db: Write, practice: string, one: Availability): Promise<void> {
  await db
    .insertInto('availability')
    .values({ ...rowOf(practice, one), clinician_id: clinicianOf(one) })
    .execute()
}

export async function updateAvailability(db: Write, practice: string, one: Availability): Promise<void> {
  await db
    .updateTable('availability')
    .set({ ...changesOf(one), clinician_id: clinicianOf(one) })
    .where('practice_id', '=', practice)
    .where('id', '=', one.id)
    .execute()
}

export const clinicianOf = (one: Pick<Availability, 'kind'> & { clinician_id?: string }): string | null =>
  one.clinician_id ?? null
