import { createSecretKey } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { callerOfKey } from '#service/access/api-key.ts'
import type { KnownCallers } from '#service/access/known-callers.ts'
import type { Authenticate } from './authentication.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { VerifyToken } from '#service/oauth/access-token.ts'
import { callerOfToken } from '#service/oauth/token-caller.ts'
import type { Database } from '#service/store/tables.ts'

interface Parts {
  readonly db: Database
  readonly pepper: Uint8Array
  readonly clock: Clock
  readonly known: KnownCallers
  readonly refusals: Refusals
  /** Null where no sign-in service is trusted. */
  readonly verifyToken: VerifyToken | null
}

/** `Authorization: Bearer`, with an API key or an access token (RFC 6750). */
export function bearerAuthentication({ verifyToken, pepper, refusals, ...rest }: Parts): Authenticate {
  // Made ready once; it is used with every call.
  const keys = { ...rest, pepper: createSecretKey(pepper) }
  return async (request, isFresh, from) => {
    const token = bearerToken(request.headers.get('authorization'))
    if (token === null) throw new AppError('unauthenticated')
    if (verifyToken === null || token.startsWith('aw_'))
      return callerOfKey({ ...keys, requireRoom: () => refusals.requireRoom(from) }, token, isFresh)
    return callerOfToken(keys.db, await verifyToken(token))
  }
}

/** The token that was sent as one; null where none was. */
export function bearerToken(header: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}
