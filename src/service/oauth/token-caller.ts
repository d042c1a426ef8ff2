import type { JWTPayload } from 'jose'
import { idSchema } from '#contract/model/common.ts'
import { AppError } from '#contract/errors.ts'
import type { Role } from '#contract/rest/route.ts'
import { roles } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { lookInPractice } from '../store/in-practice.ts'
import { authorityVersion, findPractice, requireServed } from '../store/practices.ts'
import { findStaff } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'
import type { VerifiedToken } from './access-token.ts'
import { isScopeOfRole, scopeOfRole } from './issuer.ts'

/**
 * The person a token was made for, as the practice knows them. A token lends what its person may, and no more than it
 * was made for: roles count that stand in their staff record and in the token.
 *
 * @throws AppError `practice-moved`; `unauthenticated` for a practice that is not the issuer's, and for one or a person that is not known
 *   here, or who left
 */
export async function callerOfToken(db: Database, { issuer, claims }: VerifiedToken): Promise<Caller> {
  const claimed = claims[issuer.claims.practice]
  // An issuer that belongs to one practice speaks for no other.
  if (issuer.practice_id !== undefined && claimed !== undefined && claimed !== issuer.practice_id)
    throw new AppError('unauthenticated')
  const practice = idSchema.safeParse(issuer.practice_id ?? claimed)
  const person = idSchema.safeParse(claims[issuer.claims.person])
  if (!practice.success || !person.success) throw new AppError('unauthenticated')
  const found = await findPractice(db, practice.data)
  if (found === null) throw new AppError('unauthenticated')
  requireServed(found)
  const { staff, authority_version } = await lookInPractice(db, practice.data, async (read) => ({
    staff: await findStaff(read, practice.data, person.data),
    authority_version: (await authorityVersion(read, practice.data)) ?? -1,
  }))
  if (staff === null || staff.status !== 'active') throw new AppError('unauthenticated')
  return {
    practice_id: practice.data,
    person_id: person.data,
    key_id: null,
    roles: lentRoles(claims, issuer.claims.roles).filter((role) => staff.roles.includes(role)),
    plan: found.plan,
    is_test: false,
    authority_version,
    ends_at: claims.exp === undefined ? null : new Date(claims.exp * 1000).toISOString(),
    source: 'http',
  }
}

/** A claim of roles says what the person is; scopes say what this token is for. Where both do, both must. */
export function lentRoles(claims: JWTPayload, claim: string): Role[] {
  const scopes = [...namesIn(claims.scope), ...namesIn(claims['scp'])].filter(isScopeOfRole)
  const inScope = roles.filter((role) => scopes.includes(scopeOfRole(role)))
  if (claims[claim] === undefined) return inScope
  const named = Array.isArray(claims[claim]) ? namesIn(claims[claim]) : []
  return roles.filter((role) => named.includes(role) && (scopes.length === 0 || inScope.includes(role)))
}

/** Some issuers write scopes as a list, RFC 6749 (section 3.3) as one string with spaces. */
function namesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : []
}
