import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { callerOfKey } from './api-key.ts'
import type { Authenticate } from './guards/authentication.ts'
import type { Database } from './store/tables.ts'

interface Parts {
  readonly db: Database
  readonly pepper: Uint8Array
  readonly clock: Clock
}

/** `Authorization: Bearer`, with an API key (RFC 6750). */
export function bearerAuthentication({ db, pepper, clock }: Parts): Authenticate {
  return async (request) => {
    const token = bearerToken(request.headers.get('authorization'))
    if (token === null) throw new AppError('unauthenticated')
    return callerOfKey(db, pepper, clock, token)
  }
}

/** The token that was sent as one; null where none was. */
export function bearerToken(header: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}
