import { AppError } from '#contract/errors.ts'
import type { Caller } from '../caller.ts'
import { lookInPractice } from '../store/in-practice.ts'
import { authorityVersion } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'

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

/** Runs the work; where it fails and what was remembered no longer holds, lets the caller in anew and runs it again. */
export async function asOfNow<Result>(
  db: Database,
  caller: () => Caller,
  letInAgain: () => Promise<void>,
  work: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(false)
  } catch (error) {
    if (!(error instanceof StaleAuthority) && !(await isStale(db, caller()))) throw error
    await letInAgain()
    return work(true)
  }
}

export async function isStale(db: Database, caller: Caller): Promise<boolean> {
  if (caller.authority_version === undefined) return false
  const now = await lookInPractice(db, caller.practice_id, (read) => authorityVersion(read, caller.practice_id))
  return now !== caller.authority_version
}
