import type { OperationId } from './routes.ts'
import { routes } from './routes.ts'
import type { Route } from './route.ts'

/** Where the first part of a path does not already say it. */
const named: Readonly<Record<string, string>> = {
  clients: 'clients.write',
  sessions: 'sessions.sync',
  authorisations: 'coverage',
  'api-keys': 'api_keys',
  'audit-events': 'audit',
  erasures: 'retention',
  'legal-holds': 'retention',
}
/** What is done to a note that was signed. */
const reviewing = /^\/notes\/\{id\}\/(?:cosign|return|versions|entered-in-error)/

/**
 * The capability of the service document that an operation is part of; null for the ten that every service has, and
 * for the document itself.
 */
export function capabilityOf(operation: OperationId): string | null {
  const { path, published }: Route = routes[operation]
  const [, first = ''] = path.split('/')
  if (published || first === '') return null
  if (reviewing.test(path)) return 'cosign'
  return named[first] ?? first.replaceAll('-', '_')
}
