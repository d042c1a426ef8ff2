import type { Reassignment } from '#contract/model/caseload.ts'
import type { Page, PageQuery } from './records.ts'
import { having, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export async function insertReassignment(db: Write, practice: string, notice: Reassignment): Promise<void> {
  const { client_id, from_clinician_id } = notice
  await db
    .insertInto('reassignments')
    .values({ ...rowOf(practice, notice), client_id, from_clinician_id })
    .execute()
}

/** @param former clinician whose former clients to list; null for those of all clinicians */
export function listReassignments(
  db: Database,
  practice: string,
  query: PageQuery,
  former: string | null,
): Promise<Page<Reassignment>> {
  return pageOfRecords(db, 'reassignments', practice, query, having('from_clinician_id', former ?? undefined))
}
