import * as client from 'openid-client'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { openLoopback } from './loopback.ts'
import type { Provider, Tokens } from './provider.ts'
import { asked, discover, tokensOf } from './provider.ts'

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
