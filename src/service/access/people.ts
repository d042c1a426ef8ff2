import { AppError } from '#contract/errors.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { selectIn } from '#service/store/records.ts'
import type { Database } from '#service/store/tables.ts'
import type { Call } from './call.ts'
import { mayReach } from './authorization.ts'

interface Named {
  readonly pointer: string
  readonly id: string | null | undefined
}

/** The embedded service does not check people, because its records may name people that only a practice server knows. */
export async function requirePeople(db: Database, caller: Caller, named: readonly Named[]): Promise<void> {
  const { practice_id, person_id, is_operator = false } = caller
  const others = named.filter(({ id }) => typeof id === 'string' && id !== person_id)
  if (is_operator || others.length === 0) return
  const ids = [...new Set(others.flatMap(({ id }) => id ?? []))]
  const staff = await selectIn(db, 'staff', practice_id).select('id').where('id', 'in', ids).execute()
  const known = new Set(staff.map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) {
    const keys = selectIn(db, 'api_keys', practice_id).select('person_id').where('person_id', 'in', ids)
    for (const key of await keys.execute()) known.add(key.person_id)
  }
  refuseUnknown(others, known, 'unknown_person', 'nobody of this practice')
}

export async function requireClients(db: Database, { practice_id }: Caller, named: readonly Named[]): Promise<void> {
  const ids = named.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return
  const rows = await selectIn(db, 'clients', practice_id).select('id').where('id', 'in', ids).execute()
  refuseUnknown(named, new Set(rows.map(({ id }) => id)), 'unknown_client', 'no client of this practice')
}

function refuseUnknown(named: readonly Named[], known: ReadonlySet<string>, code: string, message: string): void {
  const unknown = named.filter(({ id }) => typeof id === 'string' && !known.has(id))
  if (unknown.length === 0) return
  const problems = unknown.map(({ pointer }) => ({ pointer, code, message }))
  throw new AppError('validation-failed', undefined, problems)
}

type Assigning = Pick<Call, 'caller' | 'scope'>

export function assignedTo(call: Assigning, named: string | null, otherwise: string | null): string | null {
  if (named !== null) requireMayAssign(call, named)
  if (named !== null || !isClinicianAlone(call)) return named ?? otherwise
  return call.caller.person_id
}

function requireMayAssign({ caller, scope }: Assigning, clinician_id: string | null): void {
  if (clinician_id === caller.person_id || mayReach(scope, clinician_id)) return
  throw new AppError('forbidden', 'clinician_id: only the owner or the front desk assigns to another clinician.')
}

/** Shared or emergency access to a client does not permit reassigning the client. @throws AppError `forbidden` */
export function requireMayReassign(call: Assigning, from: string | null, to: string | null): void {
  if (!mayReach(call.scope, from))
    throw new AppError('forbidden', 'clinician_id: whose client this is, their own clinician, the owner or the front desk says.')
  requireMayAssign(call, to)
}

function isClinicianAlone({ caller: { roles } }: Assigning): boolean {
  return !roles.includes('owner') && (roles.includes('clinician') || roles.includes('supervisor'))
}
