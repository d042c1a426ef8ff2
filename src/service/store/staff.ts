import { AppError } from '#contract/errors.ts'
import type { Staff } from '#contract/model/staff.ts'
import type { Page, PageQuery } from './records.ts'
import { changesOf, findRecord, getRecord, having, isTaken, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export const getStaff = (db: Database, practice: string, id: string): Promise<Staff> => getRecord(db, 'staff', practice, id)
export const findStaff = (db: Database, practice: string, id: string): Promise<Staff | null> =>
  findRecord(db, 'staff', practice, id)

export function listStaff(
  db: Database,
  practice: string,
  query: PageQuery & { status?: string | undefined },
): Promise<Page<Staff>> {
  return pageOfRecords(db, 'staff', practice, query, having('status', query.status))
}

/** Includes staff who left: their clients still need a supervisor until they are reassigned. */
export async function superviseesOf(db: Database, practice: string, supervisor: string): Promise<string[]> {
  const rows = await db
    .selectFrom('staff')
    .select('id')
    .where('practice_id', '=', practice)
    .where('supervisor_id', '=', supervisor)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertStaff(db: Write, practice: string, person: Staff): Promise<void> {
  if (await isTaken(db, 'staff', person.id)) throw new AppError('already-exists')
  await db
    .insertInto('staff')
    .values({ ...rowOf(practice, person), ...columnsOf(person) })
    .execute()
}

export async function updateStaff(db: Write, practice: string, person: Staff): Promise<void> {
  await db
    .updateTable('staff')
    .set({ ...changesOf(person), ...columnsOf(person) })
    .where('practice_id', '=', practice)
    .where('id', '=', person.id)
    .execute()
}

const columnsOf = ({ supervisor_id, status }: Staff) => ({ supervisor_id, status })
