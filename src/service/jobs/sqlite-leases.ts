import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { inPractice } from '../store/in-practice.ts'
import { claimOperation, freeLeases, LEASE_MS, renewLease } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import type { JobPort } from './port.ts'

/** Leases on the rows themselves. The store has one process, so whatever another one held is free when it opens. */
export async function sqliteLeases(db: Database, clock: Clock): Promise<JobPort> {
  const owner = newId(clock)
  await freeLeases(db)
  return {
    owner,
    lookAgainMs: null,
    claim: (kind, limits) => db.transaction().execute((write) => claimOperation(write, kind, owner, clock.now(), limits)),
    renew: ({ id, practice_id }) => inPractice(db, practice_id, (write) => renewLease(write, id, owner, clock.now() + LEASE_MS)),
    listen: () => {},
    close: async () => {},
  }
}
