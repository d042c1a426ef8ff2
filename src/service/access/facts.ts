import { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { emergenciesOf } from '#service/store/break-glass.ts'
import type { Emergency } from '#service/store/break-glass.ts'
import { lookInPractice } from '#service/store/in-practice.ts'
import { findStaff, superviseesOf } from '#service/store/staff.ts'
import type { Database } from '#service/store/tables.ts'
import { StaleAuthority, requireCurrent } from './current.ts'
import type { KnownCallers } from './known-callers.ts'
import type { Scope, StaffFacts } from './scope.ts'
import { dependsOnFacts, noFacts, scopeOf } from './scope.ts'

/** What the practice's records say of the caller, with when it ends by itself. */
export interface FactsRead extends Omit<StaffFacts, 'emergencies'> {
  readonly has_left: boolean
  readonly emergencies: readonly Emergency[]
}

/**
 * How far the caller reaches now, so that what was granted ends everywhere at once.
 *
 * @param known remembers it for the next call
 * @throws AppError `unauthenticated` for whoever left; StaleAuthority
 */
export async function scopeFor(
  db: Database,
  caller: Caller,
  route: Route,
  purpose: PurposeOfUse | null,
  now: string,
  known: KnownCallers | null = null,
): Promise<Scope> {
  if (!dependsOnFacts(caller, route, purpose)) return scopeOf(caller, route, noFacts, purpose)
  const { has_left, emergencies, ...facts } = await factsOf(db, caller, now, known)
  if (has_left) throw new AppError('unauthenticated')
  const open = emergencies.filter(({ ends_at }) => ends_at > now).map(({ client_id }) => client_id)
  return scopeOf(caller, route, { ...facts, emergencies: [...new Set(open)] }, purpose)
}

async function factsOf(db: Database, caller: Caller, now: string, known: KnownCallers | null): Promise<FactsRead> {
  const remembered = caller.key_id === null ? null : (known?.find(caller.key_id) ?? null)
  if (remembered !== null && remembered.key.authority_version !== caller.authority_version) throw new StaleAuthority()
  if (remembered?.facts) return remembered.facts
  const facts = await lookInPractice(db, caller.practice_id, async (read) => {
    await requireCurrent(read, caller)
    return readFacts(read, caller, now)
  })
  if (remembered !== null) remembered.facts = facts
  return facts
}

async function readFacts(db: Database, { practice_id, person_id, roles }: Caller, now: string): Promise<FactsRead> {
  const person = await findStaff(db, practice_id, person_id)
  return {
    has_left: person?.status === 'left',
    shared: person?.shared_clients ?? [],
    supervisees: roles.includes('supervisor') ? await superviseesOf(db, practice_id, person_id) : [],
    emergencies: await emergenciesOf(db, practice_id, person_id, now),
  }
}
