import { z } from 'zod'
import type { Tokens } from './provider.ts'

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
