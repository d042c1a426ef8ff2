import type { Role, Route } from '#contract/rest/route.ts'
import { roles } from '#contract/rest/route.ts'

const prefix = 'practice.'

/** A token's scope `practice.clinician` lends the role of a clinician. */
export const scopeOfRole = (role: Role): string => `${prefix}${role}`
/** Also of a role that does not exist. */
export const isScopeOfRole = (scope: string): boolean => scope.startsWith(prefix)

/** What may call this operation: one of these is enough. */
export function scopesFor(route: Route): string[] {
  return roles.filter((role) => route.reach[role] !== 'none').map(scopeOfRole)
}
