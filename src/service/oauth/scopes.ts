import type { Role, Route } from '#contract/rest/route.ts'
import { roles } from '#contract/rest/route.ts'

/** A token's scope `practice.clinician` lends the role of a clinician. */
export const scopeOfRole = (role: Role): string => `practice.${role}`

/** What may call this operation: one of these is enough. */
export function scopesFor(route: Route): string[] {
  return roles.filter((role) => route.reach[role] !== 'none').map(scopeOfRole)
}
