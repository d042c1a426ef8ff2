import { z } from 'zod'

/** How to sign in to a service: OAuth 2.0 Protected Resource Metadata (RFC 9728), plus the OAuth client of the desktop app. */
export const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  /** Issuer and OAuth client with which the desktop app signs people in; null if the service offers no sign-in for it. */
  afterword_desktop: z.object({ issuer: z.string(), client_id: z.string(), scopes: z.array(z.string()) }).nullable(),
})

export type ProtectedResource = z.infer<typeof protectedResourceSchema>
