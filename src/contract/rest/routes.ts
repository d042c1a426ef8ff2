import type { z } from 'zod'
import { auditRoutes } from './audit.ts'
import { cosignRoutes, psychotherapyNoteRoutes, templateRoutes, analysisRoutes } from './notes.ts'
import { coverageRoutes } from './coverage.ts'
import { documentationRoutes } from './documentation.ts'
import { eventRoutes } from './events.ts'
import { modelRoutes } from './models.ts'
import { practiceRoutes } from './practice.ts'
import { retentionRoutes } from './retention.ts'
import { roomRoutes } from './rooms.ts'
import type { Route } from './route.ts'
import { staffRoutes, meRoutes, reassignmentRoutes, breakGlassRoutes, apiKeyRoutes } from './access.ts'
import { uploadRoutes, voiceRoutes } from './sound.ts'

/** All operations of the service by operation id. */
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
/** As a caller sends it: fields with a default are optional. */
export type RouteQueryInput<Id extends OperationId> = InputOf<SchemaOf<(typeof routes)[Id], 'query'>>
export type RouteBodyInput<Id extends OperationId> = InputOf<SchemaOf<(typeof routes)[Id], 'body'>>
/** Union of the bodies of all declared answers. */
export type RouteAnswer<Id extends OperationId> = OutputOf<(typeof routes)[Id]['answers'][keyof (typeof routes)[Id]['answers']]>

/** Base paths under which a route answers. The published API uses `/v1/...`, `/api/v1/...` and `/api/ai/...`. */
export function basesOf(route: Pick<Route, 'path'>): readonly string[] {
  return route.path.startsWith('/ai/') ? ['/v1', '/api/v1', '/api'] : ['/v1', '/api/v1']
}
