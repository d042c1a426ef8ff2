import { errorKinds } from '#contract/errors.ts'
import type { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { bearerToken } from './bearer-authentication.ts'
import { scopesFor } from '#service/oauth/scopes.ts'

const realm = 'Bearer realm="afterword"'

/** RFC 6750, section 3: how to authenticate, or what is missing; null where neither is the matter. */
export function challengeFor(error: AppError, authorization: string | undefined, route: Route | undefined): string | null {
  // Whoever sent nothing is not told of an error.
  if (errorKinds[error.code].status === 401)
    return bearerToken(authorization ?? null) === null ? realm : `${realm}, error="invalid_token"`
  if (error.code !== 'forbidden' || route === undefined) return null
  return `${realm}, error="insufficient_scope", scope="${scopesFor(route).join(' ')}"`
}
