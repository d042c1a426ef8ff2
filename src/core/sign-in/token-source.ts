import type { Clock } from '#base/clock.ts'
import type { Tokens } from './provider.ts'

/** Renew this long before expiry, so that the token is still valid in a slow call. */
const AHEAD_MS = 60_000

export interface TokenSource {
  /** Returns a valid access token. @throws AppError `unauthenticated` if a new sign-in is required, `service-unreachable` */
  current(): Promise<string>
}

interface Parts {
  readonly clock: Clock
  readonly tokens: Tokens | null
  readonly renew: (before: Tokens | null) => Promise<Tokens>
  /** Stores renewed tokens, because the old refresh token may no longer be valid. */
  readonly keep?: (tokens: Tokens) => Promise<void>
}

export function tokenSource({ clock, tokens, renew, keep }: Parts): TokenSource {
  let known = tokens
  let renewing: Promise<Tokens> | null = null
  return {
    current: async () => {
      if (known !== null && known.expires_at - AHEAD_MS > clock.now()) return known.access_token
      renewing ??= renewed().finally(() => (renewing = null))
      return (await renewing).access_token
    },
  }

  async function renewed(): Promise<Tokens> {
    const fresh = await renew(known)
    known = fresh
    await keep?.(fresh)
    return fresh
  }
}
