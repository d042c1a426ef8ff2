import { sql, type SqlBool } from 'kysely'
import type { BreakGlass } from '#contract/model/caseload.ts'
import { type Filtered, having, recordsIn, selectIn } from './records.ts'
import type { Database } from './tables.ts'

export const {
  get: getStaff,
  find: findStaff,
  list: listStaff,
  insert: insertStaff,
  update: updateStaff,
} = recordsIn('staff', {
  hasOwnId: true,
  columns: ({ supervisor_id, status }) => ({ supervisor_id, status }),
  narrow: ({ status }: Filtered<'status'>) => having('status', status),
})

/** Includes staff who left: their clients still need a supervisor until they are reassigned. */
export async function superviseesOf(db: Database, practice: string, supervisor: string): Promise<string[]> {
  const supervised = selectIn(db, 'staff', practice).select('id').where('supervisor_id', '=', supervisor)
  return (await supervised.where('deleted_at', 'is', null).execute()).map(({ id }) => id)
}

const reviewed = { open: [sql<SqlBool>`reviewed_at is null`], done: [sql<SqlBool>`reviewed_at is not null`] }

export const {
  get: getBreakGlass,
  list: listBreakGlass,
  insert: insertBreakGlass,
  update: updateBreakGlass,
} = recordsIn('break_glass', {
  hasOwnId: true,
  columns: ({ review }) => ({ reviewed_at: review?.at ?? null }),
  columnsOfNew: ({ person_id, client_id, ends_at }) => ({ person_id, client_id, ends_at }),
  narrow: ({ review, person_id }: Filtered<'person_id'> & { readonly review?: keyof typeof reviewed | undefined }) => [
    ...having('person_id', person_id),
    ...(review === undefined ? [] : reviewed[review]),
  ],
})

export type Emergency = Pick<BreakGlass, 'client_id' | 'ends_at'>

export function emergenciesOf(db: Database, practice: string, person: string, now: string): Promise<Emergency[]> {
  const opened = selectIn(db, 'break_glass', practice).select(['client_id', 'ends_at']).where('person_id', '=', person)
  return opened.where('ends_at', '>', now).execute()
}

export const { list: listReassignments, insert: insertReassignment } = recordsIn('reassignments', {
  columnsOfNew: ({ client_id, from_clinician_id }) => ({ client_id, from_clinician_id }),
  narrow: ({ from_clinician_id: from }: Filtered<'from_clinician_id'>) => having('from_clinician_id', from),
})
