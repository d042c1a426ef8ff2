/** Where a service's metadata stands: before the path of what it speaks of (RFC 9728, section 3). */
export function protectedResourceAddress(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname.replace(/\/+$/, '')}`
}
