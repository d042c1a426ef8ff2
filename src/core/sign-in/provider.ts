import * as client from 'openid-client'
import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'

export interface Provider {
  readonly issuer: string
  readonly client_id: string
  /** The practice's service, as the `resource` of RFC 8707. */
  readonly resource: string
  readonly scopes: readonly string[]
}

export interface Tokens {
  readonly access_token: string
  /** Stored only in the keychain; null if not issued. */
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
  // Plain HTTP is allowed only on loopback.
  const isNear = ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname)
  const execute = isNear ? [client.allowInsecureRequests] : []
  return asked(() => client.discovery(address, client_id, undefined, authentication, { execute, timeout: 15 }))
}

/** Errors that mean a proxy answered or the response was cut, not the provider. */
const isNoAnswer: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** @throws AppError `unauthenticated` if the provider refuses or answers incorrectly, `service-unreachable` */
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
    // Providers without rotation send no new refresh token.
    refresh_token: answer.refresh_token ?? before,
    // If the provider states no lifetime, assume five minutes.
    expires_at: now + (answer.expiresIn() ?? 300) * 1000,
  }
}

/** Client credentials grant (RFC 6749, 4.4). @throws AppError `unauthenticated`, `service-unreachable` */
export async function machineTokens(provider: Provider, secret: string, clock: Clock): Promise<Tokens> {
  const config = await discover(provider, client.ClientSecretBasic(secret))
  const { resource, scopes } = provider
  const answer = await asked(() => client.clientCredentialsGrant(config, { scope: scopes.join(' '), resource }))
  return tokensOf(answer, clock.now())
}
