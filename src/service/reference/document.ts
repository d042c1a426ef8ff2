/** The parts of an OpenAPI document that the page reads; ours, so not checked again. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: string | number | boolean | null
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

interface Answer {
  readonly description: string
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-roles': Readonly<Record<string, string>>
  readonly 'x-counts-against-quota': boolean
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly { readonly url: string }[]>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** By kind of record, in the order of the document. */
export function operationsByTag({ paths, components }: Document): Map<string, Placed[]> {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: whole(operation as Operation) })),
  )
  function whole(operation: Operation): Operation {
    const responses = Object.entries(operation.responses).map(([status, answer]) => {
      const shared = (answer as { $ref?: string }).$ref?.split('/').at(-1)
      return [status, shared === undefined ? answer : components.responses[shared]!]
    })
    return { ...operation, responses: Object.fromEntries(responses) }
  }
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'service')
}
