import examplesJson from './examples.json' with { type: 'json' }
import type { OperationId, RouteBodyInput } from './routes.ts'

export interface Example<Id extends OperationId = OperationId> {
  readonly id?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RouteBodyInput<Id>
}

/** A test sends these calls to a new service in this order and compares the answers with `example-answers.json`. */
export const examples = examplesJson as { readonly [Id in OperationId]: Example<Id> }
