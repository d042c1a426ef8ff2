import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'
import type { ProtectedResource } from '#contract/model/protected-resource.ts'
import { protectedResourceAddress } from '#base/protected-resource.ts'
import { roles } from '#contract/rest/route.ts'
import type { Role, Route } from '#contract/rest/route.ts'

/** Signatures that the issuer alone can make; a shared secret is none. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const

const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Whoever can change what is fetched there can sign anybody in. */
const secureAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => new URL(address).protocol === 'https:' || isLoopback(new URL(address).hostname), 'must be https')

/** A sign-in service whose access tokens are taken here (RFC 9068). */
export const issuerSchema = z.object({
  /** As it stands in the tokens, to the letter. */
  issuer: secureAddress,
  /** What its tokens must be meant for: this service. */
  audience: z.string().min(1),
  /** Where its keys stand; found through its metadata where it is left out. */
  jwks_uri: secureAddress.optional(),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .default([...algorithms]),
  /** RFC 9068 says `at+jwt`; some say `JWT`. */
  token_type: z.enum(['at+jwt', 'JWT']).default('at+jwt'),
  /** Where all of its people belong, when its tokens do not say so. */
  practice_id: idSchema.optional(),
  /** The client as which the desktop app signs people in there: public, with a loopback redirect. */
  desktop: z.object({ client_id: z.string().min(1), scopes: z.array(z.string().min(1)).default([]) }).optional(),
  claims: z
    .object({
      practice: z.string().min(1).default('practice_id'),
      /** Names a person by the id of their staff record. */
      person: z.string().min(1).default('sub'),
      roles: z.string().min(1).default('roles'),
    })
    .prefault({}),
})

export const issuersSchema = z
  .array(issuerSchema)
  .refine((issuers) => new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length, 'names one issuer twice')
  // Else each of them could sign people in to the practices of the others.
  .refine(
    (issuers) => issuers.length < 2 || issuers.every(({ practice_id }) => practice_id !== undefined),
    'names several issuers, so each of them needs the practice_id it signs people in to',
  )

export type Issuer = z.output<typeof issuerSchema>
export type IssuerInput = z.input<typeof issuerSchema>

/**
 * What this service tells anybody of its sign-in, and under which path; null where it takes keys alone, or where what
 * its tokens are meant for is no address, so that it could not be asked there.
 */
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

/** A token's scope `practice.clinician` lends the role of a clinician. */
export const scopeOfRole = (role: Role): string => `${prefix}${role}`
/** Also of a role that does not exist. */
export const isScopeOfRole = (scope: string): boolean => scope.startsWith(prefix)

/** What may call this operation: one of these is enough. */
export function scopesFor(route: Route): string[] {
  return roles.filter((role) => route.reach[role] !== 'none').map(scopeOfRole)
}
