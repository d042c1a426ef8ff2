import { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/audit-event.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { emergenciesOf } from '#service/store/notices.ts'
import type { Emergency } from '#service/store/notices.ts'
import { readSnapshot } from '#service/store/in-practice.ts'
import { findStaff, superviseesOf } from '#service/store/staff.ts'
import type { Database } from '#service/store/tables.ts'
import { authorityVersion } from '#service/store/practices.ts'
import type { Clock } from '#base/clock.ts'
import type { KeyRow } from '#service/store/api-keys.ts'
import type { Scope, StaffFacts } from './scope.ts'
import { dependsOnFacts, noFacts, scopeOf } from './scope.ts'

interface FactsRead extends Omit<StaffFacts, 'emergencies'> {
  readonly has_left: boolean
  readonly emergencies: readonly Emergency[]
}

/** @throws AppError `unauthenticated` for a person who left; StaleAuthority */
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
  const facts = await readSnapshot(db, caller.practice_id, async (read) => {
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

/** The cached authorization is stale: reauthenticate and retry the call. */
export class StaleAuthority extends AppError {
  constructor() {
    super('service-unreachable', 'The records are busy. Try again.')
  }
}

/** In a PostgreSQL write transaction, the practice lock keeps the checked version valid until the commit. */
export async function requireCurrent(db: Database, { practice_id, authority_version }: Caller): Promise<void> {
  if (authority_version === undefined) return
  if ((await authorityVersion(db, practice_id)) !== authority_version) throw new StaleAuthority()
}

/** More tries than a group commit has calls (32), because each of the other calls can change the authorization once. */
const MAX_TRIES = 40

/** If `work` fails and the authorization is stale, reauthenticates and retries, unless `work` may have committed. */
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
        error instanceof StaleAuthority ? tries < MAX_TRIES : tries === 0 && (await isOfMemory(db, caller(), error))
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
  const now = await readSnapshot(db, caller.practice_id, (read) => authorityVersion(read, caller.practice_id))
  return now !== caller.authority_version
}

const MAX_KNOWN = 10_000
const KNOWN_MS = 60_000

interface Known {
  readonly key: KeyRow
  /** Read at the key's `authority_version`; null until first needed. */
  facts: FactsRead | null
  readonly at: number
  readonly digest: string
}

/** Authorization cache. Each call checks the version in its own transaction, and `asOfNow` retries a refusal from stale data. */
export interface KnownCallers {
  find(keyId: string): Known | null
  /** Includes expired entries. */
  lastDigest(keyId: string): string | undefined
  keep(key: KeyRow, digest: string): void
}

export function rememberCallers(clock: Clock): KnownCallers {
  const known = new Map<string, Known>()
  return {
    find: (keyId) => {
      const found = known.get(keyId)
      return found !== undefined && clock.elapsed() - found.at < KNOWN_MS ? found : null
    },
    lastDigest: (keyId) => known.get(keyId)?.digest,
    keep: (key, digest) => {
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(key.id, { key, facts: null, at: clock.elapsed(), digest })
    },
  }
}
