import { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '../caller.ts'
import { emergenciesOf } from '../store/break-glass.ts'
import { inPractice } from '../store/in-practice.ts'
import { findStaff, superviseesOf } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'
import type { Scope, StaffFacts } from './scope.ts'
import { dependsOnFacts, noFacts, scopeOf } from './scope.ts'

/**
 * How far the caller reaches now; asked with every call, so that what was granted ends everywhere at once.
 *
 * @throws AppError `unauthenticated` for whoever left
 */
export async function scopeFor(
  db: Database,
  caller: Caller,
  route: Route,
  purpose: PurposeOfUse | null,
  now: string,
): Promise<Scope> {
  const facts = dependsOnFacts(caller, route, purpose)
    ? await inPractice(db, caller.practice_id, (read) => factsOf(read, caller, now))
    : noFacts
  return scopeOf(caller, route, facts, purpose)
}

async function factsOf(db: Database, { practice_id, person_id, roles }: Caller, now: string): Promise<StaffFacts> {
  const person = await findStaff(db, practice_id, person_id)
  if (person?.status === 'left') throw new AppError('unauthenticated')
  return {
    shared: person?.shared_clients ?? [],
    supervisees: roles.includes('supervisor') ? await superviseesOf(db, practice_id, person_id) : [],
    emergencies: await emergenciesOf(db, practice_id, person_id, now),
  }
}
