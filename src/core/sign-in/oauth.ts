import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import type { Provider, Tokens } from './session.ts'

export interface SignInParts {
  readonly clock: Clock
  readonly openBrowser: (address: string) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Authorization code flow with PKCE, with a loopback redirect (RFC 8252) and without a client secret.
 * @throws AppError `cancelled`, `unauthenticated`, `service-unreachable`
 */
export async function signIn(provider: Provider, { clock, openBrowser, signal }: SignInParts): Promise<Tokens> {
  const config = await discover(provider, client.None())
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const loopback = await openLoopback(state)
  try {
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: loopback.redirect_uri,
      scope: ['openid', 'offline_access', ...provider.scopes].join(' '),
      // Required for offline access (OpenID Connect Core 1.0, section 11).
      prompt: 'consent',
      resource: provider.resource,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    await openBrowser(address.href)
    const arrived = await Promise.race([loopback.arrived, given(signal)])
    const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce }
    const { resource } = provider
    const answer = await asked(() => client.authorizationCodeGrant(config, arrived, checks, { resource }))
    return tokensOf(answer, clock.now())
  } finally {
    loopback.close()
  }
}

export async function refresh(provider: Provider, refresh_token: string, clock: Clock): Promise<Tokens> {
  const config = await discover(provider, client.None())
  const { resource } = provider
  const answer = await asked(() => client.refreshTokenGrant(config, refresh_token, { resource }))
  return tokensOf(answer, clock.now(), refresh_token)
}

export const given = (signal: AbortSignal): Promise<never> =>
  new Promise((_, failed) => {
    const stop = (): void => failed(new AppError('cancelled', 'The sign-in was not finished.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const path = '/signed-in'
const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Afterword</title><p style="font:1rem system-ui;margin:3rem">${text}</p>`

/** Opens a server on a loopback port that receives the redirect of one sign-in (RFC 8252, 7.3). */
async function openLoopback(state: string) {
  const arrival = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', origin)
    const isOurs = request.method === 'GET' && url?.pathname === path && url.searchParams.get('state') === state
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      Connection: 'close',
    })
    response.end(page(isOurs ? 'You can close this window and return to Afterword.' : 'This page doesn’t exist.'))
    if (isOurs) arrival.resolve(url)
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    redirect_uri: origin + path,
    arrived: arrival.promise,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function discover({ issuer, client_id }: Provider, authentication: client.ClientAuth): Promise<client.Configuration> {
  const address = new URL(issuer)
  const isNear = ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname)
  const execute = isNear ? [client.allowInsecureRequests] : []
  return asked(() => client.discovery(address, client_id, undefined, authentication, { execute, timeout: 15 }))
}

/** Error codes for a timeout, or for a response that is not a provider's, for example from a proxy. */
const isNoAnswer: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
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

function tokensOf(
  answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  now: number,
  before: string | null = null,
): Tokens {
  return {
    access_token: answer.access_token,
    // Providers without rotation send no new refresh token.
    refresh_token: answer.refresh_token ?? before,
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
