import { z } from 'zod'

/** How to sign in to a service: OAuth 2.0 Protected Resource Metadata (RFC 9728), with a client for the desktop app. */
export const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  /** Who signs people of this practice in at their own computers, and as which client; null where nobody does. */
  afterword_desktop: z.object({ issuer: z.string(), client_id: z.string(), scopes: z.array(z.string()) }).nullable(),
})

export type ProtectedResource = z.infer<typeof protectedResourceSchema>
