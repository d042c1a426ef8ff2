/** The well-known path goes before the resource's path (RFC 9728, section 3). */
export function protectedResourceAddress(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname.replace(/\/+$/, '')}`
}
