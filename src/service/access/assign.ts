import { AppError } from '#contract/errors.ts'
import type { Call } from './call.ts'
import { mayReach } from './scope.ts'

type Assigning = Pick<Call, 'caller' | 'scope'>

/**
 * Whose a new client or session is: of the clinician that is named, else of the clinician who makes it, else
 * `otherwise`. The owner's own caseload is what has nobody's name on it.
 *
 * @throws AppError `forbidden`
 */
export function assignedTo(call: Assigning, named: string | null, otherwise: string | null): string | null {
  if (named !== null) requireMayAssign(call, named)
  if (named !== null || !isClinicianAlone(call)) return named ?? otherwise
  return call.caller.person_id
}

/** @throws AppError `forbidden` */
function requireMayAssign({ caller, scope }: Assigning, clinician_id: string | null): void {
  if (clinician_id === caller.person_id || mayReach(scope, clinician_id)) return
  throw new AppError('forbidden', 'clinician_id: only the owner or the front desk assigns to another clinician.')
}

/**
 * Whoever reaches a client one by one, shared or opened in an emergency, has no say in whose the client is.
 *
 * @throws AppError `forbidden`
 */
export function requireMayReassign(call: Assigning, from: string | null, to: string | null): void {
  if (!mayReach(call.scope, from))
    throw new AppError('forbidden', 'clinician_id: whose client this is, their own clinician, the owner or the front desk says.')
  requireMayAssign(call, to)
}

function isClinicianAlone({ caller: { roles } }: Assigning): boolean {
  return !roles.includes('owner') && (roles.includes('clinician') || roles.includes('supervisor'))
}
