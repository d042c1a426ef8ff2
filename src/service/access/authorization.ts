import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { type PurposeOfUse, purposeOfUseSchema } from '#contract/model/audit-event.ts'
import type { Reach, Role, Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { KeyRow } from '#service/store/api-keys.ts'
import { readSnapshot } from '#service/store/in-practice.ts'
import { authorityVersion } from '#service/store/practices.ts'
import { type Emergency, emergenciesOf, findStaff, superviseesOf } from '#service/store/staff.ts'
import type { Database } from '#service/store/tables.ts'

const widths: readonly Reach[] = ['all', 'supervised', 'caseload', 'own', 'limited']

export function reachOf(caller: Caller, route: Route): Reach {
  const reaches = reachesOf(caller, route)
  return widths.find((width) => reaches.includes(width)) ?? 'none'
}

/** Whose records are accessible: those of `clinicians`, of clients without a clinician (`unassigned`), and of `clients`. */
export interface Within {
  readonly clinicians: 'all' | ReadonlySet<string>
  readonly unassigned: boolean
  readonly clients: ReadonlySet<string>
}

export interface Scope extends Within {
  /** Null if the caller sees whole records. Otherwise, records outside `whole` show only the fields these roles may see. */
  readonly limited: { readonly roles: readonly Role[]; readonly whole: Within } | null
  /** Access to whole records if the call stated the required purpose; null if that would add nothing. */
  readonly withPurpose: Within | null
}

interface StaffFacts {
  readonly supervisees: readonly string[]
  readonly shared: readonly string[]
  readonly emergencies: readonly string[]
}

const noFacts: StaffFacts = { supervisees: [], shared: [], emergencies: [] }

const everybody: Within = { clinicians: 'all', unassigned: true, clients: new Set() }
const nobody: Within = { clinicians: new Set(), unassigned: false, clients: new Set() }
const everything: Scope = { ...everybody, limited: null, withPurpose: null }

function scopeOf(caller: Caller, route: Route, known: StaffFacts, purpose: PurposeOfUse | null): Scope {
  if (caller.source === 'embedded') return everything
  const facts = route.method === 'GET' || route.reads ? known : { ...known, emergencies: [] }
  const reaches = reachesOf(caller, route)
  const isAll = reaches.includes('all')
  if (isAll && (!route.beyondNeedsPurpose || purpose !== null)) return everything
  const own = ownCaseload(caller, reaches, facts, purpose === 'ETREAT' ? facts.emergencies : [])
  const roles = caller.roles.filter((role) => route.reach[role] === 'limited')
  const limited = roles.length > 0 ? { roles, whole: own } : null
  return { ...(limited === null ? own : everybody), limited, withPurpose: isAll ? everybody : inEmergency(own, facts) }
}

function dependsOnFacts(caller: Caller, route: Route, purpose: PurposeOfUse | null): boolean {
  if (caller.source === 'embedded') return false
  const reaches = reachesOf(caller, route)
  if (reaches.includes('all') && (!route.beyondNeedsPurpose || purpose !== null)) return false
  return reaches.some((reach) => reach !== 'none' && reach !== 'limited')
}

export function mayReach({ clinicians, unassigned }: Within, clinician_id: string | null): boolean {
  if (clinicians === 'all') return true
  return clinician_id === null ? unassigned : clinicians.has(clinician_id)
}

export function withinScope(within: Within, column: string): RawBuilder<SqlBool> {
  const { clinicians, unassigned } = within
  if (clinicians === 'all') return sql<SqlBool>`1 = 1`
  const named = clinicians.size === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} in (${sql.join([...clinicians])})`
  return unassigned ? sql<SqlBool>`(${named} or ${sql.ref(column)} is null)` : named
}

function ownCaseload(caller: Caller, reaches: readonly Reach[], facts: StaffFacts, emergencies: readonly string[]): Within {
  if (reaches.every((reach) => reach === 'limited' || reach === 'none')) return nobody
  return {
    clinicians: new Set([caller.person_id, ...(reaches.includes('supervised') ? facts.supervisees : [])]),
    unassigned: caller.roles.includes('owner'),
    clients: new Set([...facts.shared, ...emergencies]),
  }
}

function inEmergency(own: Within, { emergencies }: StaffFacts): Within | null {
  const more = emergencies.filter((id) => !own.clients.has(id))
  return more.length === 0 ? null : { ...own, clients: new Set([...own.clients, ...more]) }
}

const reachesOf = (caller: Caller, route: Route): Reach[] => caller.roles.map((role) => route.reach[role])

export function purposeOf(header: string | undefined): PurposeOfUse | null {
  if (header === undefined) return null
  const purpose = purposeOfUseSchema.safeParse(header.trim().toUpperCase())
  if (!purpose.success)
    throw new AppError('bad-request', 'Purpose-Of-Use must be a code of HL7 PurposeOfUse, such as TREAT or HCOMPL.')
  return purpose.data
}

interface FactsRead extends Omit<StaffFacts, 'emergencies'> {
  readonly has_left: boolean
  readonly emergencies: readonly Emergency[]
}

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

export class StaleAuthority extends AppError {
  constructor() {
    super('service-unreachable', 'The records are busy. Try again.')
  }
}

export async function requireCurrent(db: Database, { practice_id, authority_version }: Caller): Promise<void> {
  if (authority_version === undefined) return
  if ((await authorityVersion(db, practice_id)) !== authority_version) throw new StaleAuthority()
}

/** More tries than a group commit has calls (32), because each of the other calls can change the authorization once. */
const MAX_TRIES = 40

/** Reauthenticates and retries `work` after `StaleAuthority`, or if its first try was refused with outdated authorization. */
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
  facts: FactsRead | null
  readonly at: number
  readonly digest: string
}

/** Caches API keys and what their holders may access. `requireCurrent` detects outdated entries. */
export function rememberCallers(clock: Clock) {
  const known = new Map<string, Known>()
  return {
    find: (keyId: string) => {
      const found = known.get(keyId)
      return found !== undefined && clock.elapsed() - found.at < KNOWN_MS ? found : null
    },
    lastDigest: (keyId: string) => known.get(keyId)?.digest,
    keep: (key: KeyRow, digest: string) => {
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(key.id, { key, facts: null, at: clock.elapsed(), digest })
    },
  }
}

export type KnownCallers = ReturnType<typeof rememberCallers>
