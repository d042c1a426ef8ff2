import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { mintKey } from '#service/access/api-key.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import { hasKeys, insertKey } from '#service/store/api-keys.ts'
import { continueAsPractice, inPractice } from '#service/store/in-practice.ts'
import { countPractices, ensurePractice, onlyPractice } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import type { ServiceOptions } from './open-service.ts'

/** The practice, and in a new store the one key that lets its owner in. */
export async function prepare(db: Database, { caller, clock, plan }: ServiceOptions, pepper: Uint8Array): Promise<string | null> {
  const now = timestamp(clock)
  // Under a name that is no practice's: of processes that start together one makes it.
  const practice = await inPractice(db, 'the first practice', async (write) => {
    if (caller === 'embedded') {
      await continueAsPractice(write, embeddedCaller.practice_id)
      await ensurePractice(write, embeddedCaller.practice_id, 'This laptop', 'enterprise', now)
      return embeddedCaller.practice_id
    }
    const only = (await onlyPractice(write)) ?? newId(clock)
    await continueAsPractice(write, only)
    // Of several practices each has the plan that `practices plan` gave it.
    await ensurePractice(write, only, 'Practice', (await countPractices(write)) > 1 ? undefined : plan, now)
    return only
  })
  if (caller === 'embedded') return null
  return inPractice(db, practice, async (write) => {
    if (await hasKeys(write, practice)) return null
    const { id, secret, digest } = mintKey(pepper)
    const owner = {
      id,
      practice_id: practice,
      person_id: newId(clock),
      roles: ['owner', 'clinician'] as const,
      digest,
      name: 'Owner',
    }
    await insertKey(write, owner, now)
    return secret
  })
}
