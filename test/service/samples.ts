import { z } from 'zod'

/** What a JSON Schema made by Zod says, as far as these samples read it. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly format?: string
  readonly pattern?: string
}

export function jsonSchemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', metadata: z.registry() }) as Schema
}

/** Texts that patterns of the contract ask for; the first that fits is taken. */
const texts = [
  'x',
  'en',
  'CA',
  '1',
  '12',
  '2026-03-01',
  '90837',
  'a'.repeat(16),
  'a'.repeat(64),
  '1234567893',
  'FREQ=WEEKLY',
  '09:00',
  'F41.1',
  '2026-03-01T09:00:00',
]
const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T09:00:00Z',
  date: '2026-03-01',
  email: 'ana@example.org',
  uri: 'https://example.org',
}

/** Members that a schema describes too loosely; named where they mean something known. */
export type Known = (name: string) => unknown

/** The least that fits: required members alone. */
export function sampleOf(schema: Schema, known: Known, name = ''): unknown {
  const given = known(name)
  if (given !== undefined && schema.type !== 'object' && schema.type !== 'array') return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice !== undefined) return sampleOf(choice[0]!, known, name)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, known, name)))
  if (schema.type === 'object') {
    const members = (schema.required ?? []).map((member) => [member, sampleOf(schema.properties![member] ?? {}, known, member)])
    return Object.fromEntries(members)
  }
  if (schema.type === 'array') {
    const items = schema.prefixItems ?? Array.from({ length: schema.minItems ?? 0 }, () => schema.items ?? {})
    return items.map((item) => sampleOf(item, known, name))
  }
  if (schema.type === 'string') return textFor(schema)
  if (schema.type === 'integer' || schema.type === 'number')
    return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
  if (schema.type === 'boolean') return true
  return null
}

function textFor({ format, pattern, minLength = 1 }: Schema): string {
  if (format !== undefined && byFormat[format] !== undefined) return byFormat[format]
  const fits = pattern === undefined ? texts : texts.filter((text) => new RegExp(pattern, 'u').test(text))
  return fits.find((text) => text.length >= minLength) ?? 'x'.repeat(minLength)
}

const wrongs: readonly unknown[] = [true, 12, 'no such thing', -1, {}, [[]], null, 'x'.repeat(100_000)]

/** The sample once for each member, known to be wrong there: the schema itself says that it is. */
export function wrongOnes(schema: z.ZodType, sample: unknown): { readonly path: string; readonly value: unknown }[] {
  return pathsOf(jsonSchemaOf(schema), 0).flatMap((path) => {
    const tried = wrongs.map((wrong) => put(sample, path, wrong))
    const value = tried.find((one) => !schema.safeParse(one).success)
    return value === undefined ? [] : [{ path: `/${path.join('/')}`, value }]
  })
}

/** Members of objects, two levels down. */
export function pathsOf(schema: Schema, depth: number): string[][] {
  const shapes = [schema, ...(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [])]
  const paths = shapes.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, inner]) => [
      [name],
      ...(depth === 0 ? pathsOf(inner, 1).map((rest) => [name, ...rest]) : []),
    ]),
  )
  return [...new Map(paths.map((path) => [path.join('/'), path])).values()]
}

export function put(value: unknown, [name, ...rest]: readonly string[], wrong: unknown): unknown {
  if (name === undefined) return wrong
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  return { ...object, [name]: put(object[name], rest, wrong) }
}
