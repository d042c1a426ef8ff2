import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Issuer } from './issuer.ts'

/** Clocks of two machines differ. */
const toleranceSeconds = 5
const fetchTimeoutMs = 5_000

export interface TokenTuning {
  /** For how long keys that were just fetched are not fetched again for a token whose key is not among them. */
  readonly keysCooldownMs?: number
}

export interface VerifiedToken {
  readonly issuer: Issuer
  readonly claims: JWTPayload
}

export type VerifyToken = (token: string) => Promise<VerifiedToken>

/**
 * Access tokens as JWT, of the issuers named alone. The token says which issuer made it; that issuer's keys decide.
 *
 * @throws AppError `unauthenticated`; `sign-in-unavailable` where the issuer's keys cannot be had
 */
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
        clockTolerance: toleranceSeconds,
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

/** Seconds up to the end of the year 9999 (RFC 7519, section 2: NumericDate). */
const numericDate = z.number().min(0).max(253_402_300_799).optional()
const timesSchema = z.object({ exp: numericDate, nbf: numericDate, iat: numericDate })

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Kept until they are ten minutes old; one that is not among them is looked for again, so that issuers may rotate. */
function keysOf(issuer: Issuer, clock: Clock, { keysCooldownMs = 30_000 }: TokenTuning): JWTVerifyGetKey {
  // Of an issuer that is away not every call asks anew, each of them waiting.
  const pauseMs = Math.min(keysCooldownMs, 1_000)
  let failedAt = -Infinity
  let address: Promise<URL> | null = null
  let keys: JWTVerifyGetKey | null = null
  return async (header, token) => {
    if (clock.elapsed() - failedAt < pauseMs) throw new AppError('sign-in-unavailable')
    try {
      if (keys === null) {
        address ??= addressOfKeys(issuer)
        const settings = { timeoutDuration: fetchTimeoutMs, cooldownDuration: keysCooldownMs }
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

/** OpenID Connect Discovery 1.0, section 4. Metadata that names another issuer is not this one's. */
async function addressOfKeys({ issuer, jwks_uri }: Issuer): Promise<URL> {
  if (jwks_uri !== undefined) return new URL(jwks_uri)
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
  })
  const metadata = metadataSchema.parse(await response.json())
  if (metadata.issuer !== issuer) throw new Error('the metadata is of another issuer')
  const found = new URL(metadata.jwks_uri)
  if (found.protocol !== 'https:' && new URL(issuer).protocol === 'https:') throw new Error('the keys are not behind https')
  return found
}
