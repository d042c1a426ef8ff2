import type { z } from 'zod'
import { apiKeyRoutes, auditRoutes, breakGlassRoutes, meRoutes, reassignmentRoutes, staffRoutes } from './access.ts'
import { coverageRoutes } from './coverage.ts'
import { documentationRoutes, eventRoutes } from './documentation.ts'
import { modelRoutes } from './models.ts'
import { analysisRoutes, cosignRoutes, psychotherapyNoteRoutes, templateRoutes } from './notes.ts'
import { practiceRoutes } from './practice.ts'
import { retentionRoutes } from './retention.ts'
import { roomRoutes } from './rooms.ts'
import type { Route } from './route.ts'
import { uploadRoutes, voiceRoutes } from './sound.ts'

export const routes = {
  ...practiceRoutes,
  ...roomRoutes,
  ...documentationRoutes,
  ...analysisRoutes,
  ...modelRoutes,
  ...templateRoutes,
  ...voiceRoutes,
  ...uploadRoutes,
  ...eventRoutes,
  ...meRoutes,
  ...apiKeyRoutes,
  ...auditRoutes,
  ...cosignRoutes,
  ...coverageRoutes,
  ...psychotherapyNoteRoutes,
  ...retentionRoutes,
  ...staffRoutes,
  ...breakGlassRoutes,
  ...reassignmentRoutes,
} as const satisfies Record<string, Route>

export type OperationId = keyof typeof routes

type SchemaOf<Definition, Part extends string> = Definition extends { readonly [Key in Part]: infer Schema } ? Schema : undefined
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export type RouteParams<Id extends OperationId> = OutputOf<SchemaOf<(typeof routes)[Id], 'params'>>
export type RouteQuery<Id extends OperationId> = OutputOf<SchemaOf<(typeof routes)[Id], 'query'>>
export type RouteBody<Id extends OperationId> = OutputOf<SchemaOf<(typeof routes)[Id], 'body'>>
export type RouteQueryInput<Id extends OperationId> = InputOf<SchemaOf<(typeof routes)[Id], 'query'>>
export type RouteBodyInput<Id extends OperationId> = InputOf<SchemaOf<(typeof routes)[Id], 'body'>>
export type RouteAnswer<Id extends OperationId> = OutputOf<(typeof routes)[Id]['answers'][keyof (typeof routes)[Id]['answers']]>

export function basesOf(route: Pick<Route, 'path'>): readonly string[] {
  return route.path.startsWith('/ai/') ? ['/v1', '/api/v1', '/api'] : ['/v1', '/api/v1']
}

const named: Readonly<Record<string, string>> = {
  clients: 'clients.write',
  sessions: 'sessions.sync',
  authorisations: 'coverage',
  'api-keys': 'api_keys',
  'audit-events': 'audit',
  erasures: 'retention',
  'legal-holds': 'retention',
}
const reviewing = /^\/notes\/\{id\}\/(?:cosign|return|versions|entered-in-error)/

export function capabilityOf(operation: OperationId): string | null {
  const { path, published }: Route = routes[operation]
  const [, first = ''] = path.split('/')
  if (published || first === '') return null
  if (reviewing.test(path)) return 'cosign'
  return named[first] ?? first.replaceAll('-', '_')
}
