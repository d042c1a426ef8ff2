import { newId } from '#base/ids.ts'
import type { Clock } from '#base/clock.ts'
import type { Client } from '#contract/model/client.ts'
import { reassignmentRoutes } from '#contract/rest/access.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import { insertReassignment, listReassignments } from '../store/reassignments.ts'
import { newRecord } from '../store/records.ts'
import type { Write } from '../store/tables.ts'

export function reassignmentHandlers(): HandlersOf<'listReassignments'> {
  return {
    listReassignments:
      ({ practice, query, caller }) =>
      async (db) => {
        const isAll = reachOf(caller, reassignmentRoutes.listReassignments) === 'all'
        const data = await listReassignments(db, practice, query, isAll ? null : caller.person_id)
        return { status: 200, data, touched: data.data.flatMap(({ id, client_id }) => [id, client_id]) }
      },
  }
}

/**
 * A clinician who hands over a client of their own needs no notice of it; nor does the owner, whose caseload is every
 * client without a clinician.
 */
export async function noticeReassignment(
  db: Write,
  clock: Clock,
  { practice, caller, now }: Pick<Call, 'practice' | 'caller' | 'now'>,
  client: Pick<Client, 'id' | 'clinician_id'>,
  from_clinician_id: string | null,
): Promise<string[]> {
  const isOwn = from_clinician_id === null ? caller.roles.includes('owner') : from_clinician_id === caller.person_id
  if (isOwn) return []
  const id = newId(clock)
  const hands = { client_id: client.id, from_clinician_id, to_clinician_id: client.clinician_id }
  await insertReassignment(db, practice, { ...hands, by: caller.person_id, ...newRecord(id, now) })
  return [id]
}
