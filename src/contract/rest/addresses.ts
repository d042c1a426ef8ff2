import type { Route } from './route.ts'

/** Every base a route answers under. The published list also names `/api/v1/...` and, for the /ai ones, `/api/ai/...`. */
export function basesOf(route: Pick<Route, 'path'>): readonly string[] {
  return route.path.startsWith('/ai/') ? ['/v1', '/api/v1', '/api'] : ['/v1', '/api/v1']
}
