import type { OperationId } from './routes.ts'
import { routes } from './routes.ts'
import type { Route } from './route.ts'

/** Capabilities whose name is not the first part of the path. */
const named: Readonly<Record<string, string>> = {
  clients: 'clients.write',
  sessions: 'sessions.sync',
  authorisations: 'coverage',
  'api-keys': 'api_keys',
  'audit-events': 'audit',
  erasures: 'retention',
  'legal-holds': 'retention',
}
/** Operations on notes that belong to the capability `cosign`. */
const reviewing = /^\/notes\/\{id\}\/(?:cosign|return|versions|entered-in-error)/

/**
 * The capability in the service document to which an operation belongs. Null for the ten operations that every service has,
 * and for reading the document itself.
 */
export function capabilityOf(operation: OperationId): string | null {
  const { path, published }: Route = routes[operation]
  const [, first = ''] = path.split('/')
  if (published || first === '') return null
  if (reviewing.test(path)) return 'cosign'
  return named[first] ?? first.replaceAll('-', '_')
}
