import { AppError } from '#contract/errors.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { lookInPractice } from '#service/store/in-practice.ts'
import { authorityVersion } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'

/** What was remembered of the caller no longer holds: let in anew, the call is made again. */
export class StaleAuthority extends AppError {
  constructor() {
    super('service-unreachable', 'The records are busy. Try again.')
  }
}

/**
 * Within a call's own transaction: on PostgreSQL changes of one practice stand in one line, so that nothing is granted
 * or withdrawn between this and the commit.
 *
 * @throws StaleAuthority
 */
export async function requireCurrent(db: Database, { practice_id, authority_version }: Caller): Promise<void> {
  if (authority_version === undefined) return
  if ((await authorityVersion(db, practice_id)) !== authority_version) throw new StaleAuthority()
}

/** As many as share one commit may each change what callers may, one after the other. */
const mostTries = 40

/**
 * Runs the work; where it fails and what was remembered no longer holds, lets the caller in anew and runs it again. Not
 * where it may have been done: a commit whose answer was lost.
 */
export async function asOfNow<Result>(
  db: Database,
  caller: () => Caller,
  letInAgain: () => Promise<void>,
  work: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (tries > 0) await letInAgain()
      return await work(tries > 0)
    } catch (error) {
      const mayBeTried =
        error instanceof StaleAuthority ? tries < mostTries : tries === 0 && (await isOfMemory(db, caller(), error))
      if (!mayBeTried) throw error
    }
  }
}

async function isOfMemory(db: Database, caller: Caller, error: unknown): Promise<boolean> {
  const isRefusal = error instanceof AppError && error.code !== 'service-unreachable' && error.code !== 'internal'
  return isRefusal && (await isStale(db, caller))
}

export async function isStale(db: Database, caller: Caller): Promise<boolean> {
  if (caller.authority_version === undefined) return false
  const now = await lookInPractice(db, caller.practice_id, (read) => authorityVersion(read, caller.practice_id))
  return now !== caller.authority_version
}
