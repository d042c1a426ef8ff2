import type { Clock } from '#base/clock.ts'
import type { Tokens } from './provider.ts'

/** A token is renewed before it is over, by as much as a slow call takes. */
const AHEAD_MS = 60_000

export interface TokenSource {
  /**
   * A token that is good for the next call.
   *
   * @throws AppError `unauthenticated` where the person has to sign in again, `service-unreachable`
   */
  current(): Promise<string>
}

interface Parts {
  readonly clock: Clock
  /** What is there from before; null where nothing is. */
  readonly tokens: Tokens | null
  readonly renew: (before: Tokens | null) => Promise<Tokens>
  /** New ones go into the keychain: the old refresh token is spent. */
  readonly keep?: (tokens: Tokens) => Promise<void>
}

/** However many calls want one at once, it is renewed once. */
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
