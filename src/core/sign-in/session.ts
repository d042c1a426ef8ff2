import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import type { Tokens } from './oauth.ts'

const signedInSchema = z.object({
  signed_in: z.object({
    provider: z.object({ issuer: z.string(), client_id: z.string(), resource: z.string(), scopes: z.array(z.string()) }),
    tokens: z.object({ access_token: z.string(), refresh_token: z.string().nullable(), expires_at: z.number() }),
  }),
})

export type SignedIn = z.infer<typeof signedInSchema>['signed_in']

export const textOf = (signed_in: SignedIn): string => JSON.stringify({ signed_in })

export function signedInOf(secret: string): SignedIn | null {
  if (!secret.startsWith('{')) return null
  const read = signedInSchema.safeParse(parsed(secret))
  return read.success ? read.data.signed_in : null
}

export const withTokens = ({ provider }: SignedIn, tokens: Tokens): SignedIn => ({ provider, tokens })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

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
