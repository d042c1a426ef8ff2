import { AppError } from '#contract/errors.ts'
import type { BreakGlass } from '#contract/model/caseload.ts'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Reassignment } from '#contract/model/caseload.ts'
import type { Page, PageQuery } from './records.ts'
import { changesOf, getRecord, having, isTaken, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write, RecordColumns } from './tables.ts'

export interface BreakGlassTable extends RecordColumns {
  person_id: string
  client_id: string
  ends_at: string
  reviewed_at: string | null
}

export interface ReassignmentTable extends RecordColumns {
  client_id: string
  from_clinician_id: string | null
}

interface BreakGlassQuery extends PageQuery {
  readonly review?: 'open' | 'done' | undefined
}

export const getBreakGlass = (db: Database, practice: string, id: string): Promise<BreakGlass> =>
  getRecord(db, 'break_glass', practice, id)

export function listBreakGlass(
  db: Database,
  practice: string,
  query: BreakGlassQuery,
  person: string | null,
): Promise<Page<BreakGlass>> {
  const reviewed = { open: [sql<SqlBool>`reviewed_at is null`], done: [sql<SqlBool>`reviewed_at is not null`] }
  return pageOfRecords(db, 'break_glass', practice, query, [
    ...having('person_id', person ?? undefined),
    ...(query.review === undefined ? [] : reviewed[query.review]),
  ])
}

export type Emergency = Pick<BreakGlass, 'client_id' | 'ends_at'>

export async function emergenciesOf(db: Database, practice: string, person: string, now: string): Promise<Emergency[]> {
  return db
    .selectFrom('break_glass')
    .select(['client_id', 'ends_at'])
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .where('ends_at', '>', now)
    .execute()
}

export async function insertBreakGlass(db: Write, practice: string, opened: BreakGlass): Promise<void> {
  if (await isTaken(db, 'break_glass', opened.id)) throw new AppError('already-exists')
  const { person_id, client_id, ends_at } = opened
  await db
    .insertInto('break_glass')
    .values({ ...rowOf(practice, opened), person_id, client_id, ends_at, reviewed_at: null })
    .execute()
}

export async function updateBreakGlass(db: Write, practice: string, opened: BreakGlass): Promise<void> {
  await db
    .updateTable('break_glass')
    .set({ ...changesOf(opened), reviewed_at: opened.review?.at ?? null })
    .where('practice_id', '=', practice)
    .where('id', '=', opened.id)
    .execute()
}

export async function insertReassignment(db: Write, practice: string, notice: Reassignment): Promise<void> {
  const { client_id, from_clinician_id } = notice
  await db
    .insertInto('reassignments')
    .values({ ...rowOf(practice, notice), client_id, from_clinician_id })
    .execute()
}

export function listReassignments(
  db: Database,
  practice: string,
  query: PageQuery,
  former: string | null,
): Promise<Page<Reassignment>> {
  return pageOfRecords(db, 'reassignments', practice, query, having('from_clinician_id', former ?? undefined))
}
