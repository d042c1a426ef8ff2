import * as client from 'openid-client'
import { AppError } from '#contract/errors.ts'

/** Who signs people in, and what for. */
export interface Provider {
  /** The issuer, as the practice's service trusts it. */
  readonly issuer: string
  readonly client_id: string
  /** What the tokens are for (RFC 8707): the practice's service. */
  readonly resource: string
  readonly scopes: readonly string[]
}

export interface Tokens {
  readonly access_token: string
  /** Kept in the system's keychain, never in a file; null where none was given. */
  readonly refresh_token: string | null
  /** Milliseconds since 1970. */
  readonly expires_at: number
}

/** @throws AppError `service-unreachable` */
export async function discover(
  { issuer, client_id }: Provider,
  authentication: client.ClientAuth,
): Promise<client.Configuration> {
  const address = new URL(issuer)
  // Plain HTTP never leaves this machine.
  const isNear = ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname)
  const execute = isNear ? [client.allowInsecureRequests] : []
  return asked(() => client.discovery(address, client_id, undefined, authentication, { execute, timeout: 15 }))
}

/** Nothing that a provider says: a page of a network or a gateway stands in its place, or it was cut. */
const isNoAnswer: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/**
 * What the provider answered.
 *
 * @throws AppError `unauthenticated` where it refuses or its answer does not hold, `service-unreachable` where it is not there
 */
export async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError) throw error
    const isAway =
      error instanceof TypeError ||
      error instanceof DOMException ||
      (error instanceof client.ClientError && (isNoAnswer.has(error.code ?? '') || error.cause instanceof TypeError)) ||
      (error instanceof client.ResponseBodyError && error.status >= 500)
    throw new AppError(isAway ? 'service-unreachable' : 'unauthenticated', undefined, [], { cause: error })
  }
}

export function tokensOf(
  answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  now: number,
  before: string | null = null,
): Tokens {
  return {
    access_token: answer.access_token,
    // A provider that does not rotate them sends none.
    refresh_token: answer.refresh_token ?? before,
    // Without a word on it a token is taken as good for five minutes.
    expires_at: now + (answer.expiresIn() ?? 300) * 1000,
  }
}
