import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { type PurposeOfUse, purposeOfUseSchema } from '#contract/model/audit-event.ts'
import type { Reach, Role, Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { AppError } from '#contract/errors.ts'

/** Caseloads the caller may access. Clients without a clinician belong to the owner's caseload. */
export interface Within {
  readonly clinicians: 'all' | ReadonlySet<string>
  readonly unassigned: boolean
  readonly clients: ReadonlySet<string>
}

/** Records one call may access. All others answer 404. */
export interface Scope extends Within {
  /** Null if the caller sees whole records. Otherwise, records outside `whole` show only the fields of these roles. */
  readonly limited: { readonly roles: readonly Role[]; readonly whole: Within } | null
  /** All access the caller would have with a stated purpose; null if a purpose adds nothing. */
  readonly withPurpose: Within | null
}

export interface StaffFacts {
  readonly supervisees: readonly string[]
  readonly shared: readonly string[]
  /** Clients under the caller's active emergency access, which is read-only. */
  readonly emergencies: readonly string[]
}

export const noFacts: StaffFacts = { supervisees: [], shared: [], emergencies: [] }

const everybody: Within = { clinicians: 'all', unassigned: true, clients: new Set() }
const nobody: Within = { clinicians: new Set(), unassigned: false, clients: new Set() }
const everything: Scope = { ...everybody, limited: null, withPurpose: null }

/** Rights of several roles add up. */
export function scopeOf(caller: Caller, route: Route, known: StaffFacts, purpose: PurposeOfUse | null): Scope {
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

export function dependsOnFacts(caller: Caller, route: Route, purpose: PurposeOfUse | null): boolean {
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
