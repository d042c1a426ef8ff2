import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'
import type { ProtectedResource } from '#contract/model/service-document.ts'
import { protectedResourceAddress } from '#base/protected-resource.ts'
import { type Role, roles, type Route } from '#contract/rest/route.ts'

/** Asymmetric algorithms only: with a shared secret, everyone who can verify tokens could also sign them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const

const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Requires HTTPS, except on loopback: an attacker who can alter the fetched keys can sign in as anyone. */
const secureAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => new URL(address).protocol === 'https:' || isLoopback(new URL(address).hostname), 'must be https')

export const issuerSchema = z.object({
  issuer: secureAddress,
  audience: z.string().min(1),
  jwks_uri: secureAddress.optional(),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .default([...algorithms]),
  /** RFC 9068 requires `at+jwt`; some issuers send `JWT`. */
  token_type: z.enum(['at+jwt', 'JWT']).default('at+jwt'),
  practice_id: idSchema.optional(),
  desktop: z.object({ client_id: z.string().min(1), scopes: z.array(z.string().min(1)).default([]) }).optional(),
  claims: z
    .object({
      practice: z.string().min(1).default('practice_id'),
      person: z.string().min(1).default('sub'),
      roles: z.string().min(1).default('roles'),
    })
    .prefault({}),
})

export const issuersSchema = z
  .array(issuerSchema)
  .refine((issuers) => new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length, 'names one issuer twice')
  // Without `practice_id`, one issuer could sign people in to the practice of another.
  .refine(
    (issuers) => issuers.length < 2 || issuers.every(({ practice_id }) => practice_id !== undefined),
    'names several issuers, so each of them needs the practice_id it signs people in to',
  )

export type Issuer = z.output<typeof issuerSchema>
export type IssuerInput = z.input<typeof issuerSchema>

export function resourceMetadata(issuers: readonly Issuer[]): { path: string; document: ProtectedResource } | null {
  const resource = issuers[0]?.audience
  if (resource === undefined || !/^https?:\/\//.test(resource)) return null
  const ours = issuers.filter(({ audience }) => audience === resource)
  const desktop = ours.find((issuer) => issuer.desktop !== undefined)
  return {
    path: new URL(protectedResourceAddress(resource)).pathname,
    document: {
      resource,
      authorization_servers: ours.map(({ issuer }) => issuer),
      scopes_supported: roles.map(scopeOfRole),
      bearer_methods_supported: ['header'],
      afterword_desktop: desktop?.desktop === undefined ? null : { issuer: desktop.issuer, ...desktop.desktop },
    },
  }
}

const prefix = 'practice.'

export const scopeOfRole = (role: Role): string => `${prefix}${role}`
export const isScopeOfRole = (scope: string): boolean => scope.startsWith(prefix)

export function scopesFor(route: Route): string[] {
  return roles.filter((role) => route.reach[role] !== 'none').map(scopeOfRole)
}
