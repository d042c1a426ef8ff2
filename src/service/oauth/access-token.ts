import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { isScopeOfRole, type Issuer, scopeOfRole } from './issuer.ts'
import { idSchema } from '#contract/model/common.ts'
import { type Role, roles } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { readSnapshot } from '../store/in-practice.ts'
import { authorityVersion, findPractice, requireServed } from '../store/practices.ts'
import { findStaff } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'

const TOLERANCE_SECONDS = 5
const FETCH_TIMEOUT_MS = 5_000

export interface TokenTuning {
  readonly keysCooldownMs?: number
}

interface VerifiedToken {
  readonly issuer: Issuer
  readonly claims: JWTPayload
}

export type VerifyToken = (token: string) => Promise<VerifiedToken>

export function tokenVerifier(issuers: readonly Issuer[], clock: Clock, tuning: TokenTuning = {}): VerifyToken {
  const known = new Map(issuers.map((issuer) => [issuer.issuer, { issuer, keys: keysOf(issuer, clock, tuning) }]))
  return async (token) => {
    const found = known.get(issuerIn(token) ?? '')
    if (found === undefined) throw new AppError('unauthenticated')
    const { issuer, keys } = found
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: issuer.algorithms,
        typ: issuer.token_type,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(clock.now()),
      })
      if (!timesSchema.safeParse(payload).success) throw new AppError('unauthenticated')
      return { issuer, claims: payload }
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new AppError('unauthenticated', undefined, [], { cause: error })
      throw error
    }
  }
}

/** Seconds since 1970 (RFC 7519, section 2: NumericDate), at most the end of the year 9999. */
const numericDate = z.number().min(0).max(253_402_300_799).optional()
const timesSchema = z.object({ exp: numericDate, nbf: numericDate, iat: numericDate })

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Keys are cached for ten minutes. An unknown key id may mean a rotated key, so it triggers a fetch, except in a cooldown. */
function keysOf(issuer: Issuer, clock: Clock, { keysCooldownMs = 30_000 }: TokenTuning): JWTVerifyGetKey {
  const pauseMs = Math.min(keysCooldownMs, 1_000)
  let failedAt = -Infinity
  let address: Promise<URL> | null = null
  let keys: JWTVerifyGetKey | null = null
  return async (header, token) => {
    if (clock.elapsed() - failedAt < pauseMs) throw new AppError('sign-in-unavailable')
    try {
      if (keys === null) {
        address ??= addressOfKeys(issuer)
        const settings = { timeoutDuration: FETCH_TIMEOUT_MS, cooldownDuration: keysCooldownMs }
        keys = createRemoteJWKSet(await address, settings)
      }
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      address = null
      failedAt = clock.elapsed()
      throw new AppError('sign-in-unavailable', undefined, [], { cause: error })
    }
  }
}

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

async function addressOfKeys({ issuer, jwks_uri }: Issuer): Promise<URL> {
  if (jwks_uri !== undefined) return new URL(jwks_uri)
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  })
  const metadata = metadataSchema.parse(await response.json())
  if (metadata.issuer !== issuer) throw new Error('the metadata is of another issuer')
  const found = new URL(metadata.jwks_uri)
  if (found.protocol !== 'https:' && new URL(issuer).protocol === 'https:') throw new Error('the keys are not behind https')
  return found
}

export async function callerOfToken(db: Database, { issuer, claims }: VerifiedToken): Promise<Caller> {
  const claimed = claims[issuer.claims.practice]
  if (issuer.practice_id !== undefined && claimed !== undefined && claimed !== issuer.practice_id)
    throw new AppError('unauthenticated')
  const practice = idSchema.safeParse(issuer.practice_id ?? claimed)
  const person = idSchema.safeParse(claims[issuer.claims.person])
  if (!practice.success || !person.success) throw new AppError('unauthenticated')
  const found = await findPractice(db, practice.data)
  if (found === null) throw new AppError('unauthenticated')
  requireServed(found)
  const { staff, authority_version } = await readSnapshot(db, practice.data, async (read) => ({
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

/** A token can name roles in the roles claim and as scopes. If it does both, a role must be in both. */
export function lentRoles(claims: JWTPayload, claim: string): Role[] {
  const scopes = [...namesIn(claims.scope), ...namesIn(claims['scp'])].filter(isScopeOfRole)
  const inScope = roles.filter((role) => scopes.includes(scopeOfRole(role)))
  if (claims[claim] === undefined) return inScope
  const named = Array.isArray(claims[claim]) ? namesIn(claims[claim]) : []
  return roles.filter((role) => named.includes(role) && (scopes.length === 0 || inScope.includes(role)))
}

/** RFC 6749, section 3.3: scopes are one string with spaces. Some issuers send a list. */
function namesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : []
}
