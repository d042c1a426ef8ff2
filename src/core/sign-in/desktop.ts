import * as client from 'openid-client'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { type Provider, type Tokens, asked, discover, tokensOf } from './provider.ts'

export interface SignInParts {
  readonly clock: Clock
  /** In the system's browser, where the person sees whose page it is. */
  readonly openBrowser: (address: string) => Promise<void>
  /** Given up by the person, or by the app after a while. */
  readonly signal: AbortSignal
}

/**
 * Signs a person in: authorization code with PKCE, in the system's browser, back over a loopback address (RFC 8252).
 * The app has no secret of its own and never sees a password.
 *
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
      // OpenID Connect Core 1.0, section 11: without it there is no offline access.
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

/**
 * New tokens for the ones that are over.
 *
 * @throws AppError `unauthenticated` where the person has to sign in again, `service-unreachable`
 */
export async function refresh(provider: Provider, refresh_token: string, clock: Clock): Promise<Tokens> {
  const config = await discover(provider, client.None())
  const { resource } = provider
  const answer = await asked(() => client.refreshTokenGrant(config, refresh_token, { resource }))
  return tokensOf(answer, clock.now(), refresh_token)
}

/** @throws AppError `cancelled` once it is given up */
export function given(signal: AbortSignal): Promise<never> {
  return new Promise((_, failed) => {
    const stop = (): void => failed(new AppError('cancelled', 'The sign-in was not finished.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

const path = '/signed-in'
const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Afterword</title><p style="font:1rem system-ui;margin:3rem">${text}</p>`

interface Loopback {
  readonly redirect_uri: string
  /** The address that the browser came back with. */
  readonly arrived: Promise<URL>
  close(): void
}

/**
 * Where the system's browser comes back to (RFC 8252, 7.3): a port of this machine alone, for as long as one sign-in
 * takes. Whatever else knocks there, or comes with another `state`, is not answered to.
 */
async function openLoopback(state: string): Promise<Loopback> {
  const arrival = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    // Whoever knocks may ask for what is no address at all.
    const url = URL.parse(request.url ?? '/', origin)
    const isOurs = request.method === 'GET' && url?.pathname === path && url.searchParams.get('state') === state
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      Connection: 'close',
    })
    response.end(page(isOurs ? 'You can close this window and go back to Afterword.' : 'There is nothing here.'))
    if (isOurs) arrival.resolve(url)
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  // Nobody waits for it when the app is to end.
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
