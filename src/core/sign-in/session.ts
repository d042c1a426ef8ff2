import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { attempt } from '#base/control.ts'

const signedInSchema = z.object({
  signed_in: z.object({
    /** `resource`: address of the practice's service (RFC 8707). */
    provider: z.object({ issuer: z.string(), client_id: z.string(), resource: z.string(), scopes: z.array(z.string()) }),
    /** `expires_at`: milliseconds since 1970. */
    tokens: z.object({ access_token: z.string(), refresh_token: z.string().nullable(), expires_at: z.number() }),
  }),
})

export type SignedIn = z.infer<typeof signedInSchema>['signed_in']
export type Provider = SignedIn['provider']
export type Tokens = SignedIn['tokens']

export const textOf = (signed_in: SignedIn): string => JSON.stringify({ signed_in })

export function signedInOf(secret: string): SignedIn | null {
  if (!secret.startsWith('{')) return null
  const read = signedInSchema.safeParse(attempt(() => JSON.parse(secret) as unknown))
  return read.success ? read.data.signed_in : null
}

export const withTokens = ({ provider }: SignedIn, tokens: Tokens): SignedIn => ({ provider, tokens })

/** A token that expires within this time is renewed before it is used, so that a slow call still has a valid token. */
const AHEAD_MS = 60_000

interface Parts {
  readonly clock: Clock
  readonly tokens: Tokens | null
  readonly renew: (before: Tokens | null) => Promise<Tokens>
  readonly keep?: (tokens: Tokens) => Promise<void>
}

export type TokenSource = ReturnType<typeof tokenSource>

export function tokenSource({ clock, tokens, renew, keep }: Parts) {
  let known = tokens
  let renewing: Promise<Tokens> | null = null
  return {
    current: async (): Promise<string> => {
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
