import type { ProtectedResource } from '#contract/model/protected-resource.ts'
import { protectedResourceAddress } from '#base/protected-resource.ts'
import { roles } from '#contract/rest/route.ts'
import type { Issuer } from './issuer.ts'
import { scopeOfRole } from './scopes.ts'

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
