import { z } from 'zod'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface SchemaWriter {
  /** As callers send it. */
  sent(schema: z.ZodType): JsonObject
  /** As the service answers it. */
  answered(schema: z.ZodType): JsonObject
  /** The document with each named schema once, under `components.schemas`. */
  withComponents(document: JsonObject): JsonObject
}

/**
 * Schemas with an id (`.meta({ id })`) become components. Where a default makes what is sent differ from what is
 * answered, the sent one is named `...Input`.
 */
export function schemaWriter(): SchemaWriter {
  const components = { input: new Map<string, JsonObject>(), output: new Map<string, JsonObject>() }
  const write = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
    // Wrapped, so that a named schema at the top becomes a reference too.
    const written = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // Within v1 fields are only added: a caller must accept ones it does not know.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    })
    const { properties, $defs } = pointed(written, io) as unknown as {
      properties: Record<string, JsonObject>
      $defs?: Record<string, JsonObject>
    }
    for (const [name, { id: _id, ...rest }] of Object.entries($defs ?? {})) components[io].set(name, rest)
    return properties['it']!
  }
  return {
    sent: (schema) => write(schema, 'input'),
    answered: (schema) => write(schema, 'output'),
    withComponents: (document) => {
      const differing = differingNames(components.input, components.output)
      const inputName = (name: string): string => (differing.has(name) ? `${name}Input` : name)
      const schemas = Object.fromEntries(
        [
          ...[...components.output].map(([name, schema]) => [name, schema] as const),
          ...[...components.input].map(([name, schema]) => [inputName(name), schema] as const),
        ].toSorted(([left], [right]) => (left < right ? -1 : 1)),
      )
      const whole = { ...document, components: { ...(document['components'] as JsonObject), schemas } }
      const text = JSON.stringify(whole).replaceAll(
        /"#\/(input|output)\/(\w+)"/g,
        (_all, io: string, name: string) => `"#/components/schemas/${io === 'input' ? inputName(name) : name}"`,
      )
      return JSON.parse(text) as JsonObject
    },
  }
}

const pointed = (written: object, io: string): unknown => JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', `"#/${io}/`))

/** Also those that only refer to one that differs. */
function differingNames(input: ReadonlyMap<string, JsonObject>, output: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const neutral = (schema: JsonObject | undefined): string => JSON.stringify(schema).replaceAll('"#/output/', '"#/input/')
  const shared = [...input.keys()].filter((name) => output.has(name))
  const differing = new Set(shared.filter((name) => neutral(input.get(name)) !== neutral(output.get(name))))
  for (let before = -1; before < differing.size;) {
    before = differing.size
    for (const name of shared) {
      const refers = [...neutral(input.get(name)).matchAll(/"#\/input\/(\w+)"/g)].some(([, other]) => differing.has(other!))
      if (refers) differing.add(name)
    }
  }
  return differing
}
