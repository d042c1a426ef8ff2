import type { z } from 'zod'
import type { Route } from '#contract/rest/route.ts'

/** Defaults for record fields a service may omit, because the published API does not define them. */
const unsaid: Readonly<Record<string, (issue: Issue) => unknown>> = {
  version: ({ expected }) => (expected === 'string' ? '' : 1),
  created_at: () => new Date().toISOString(),
  updated_at: () => new Date().toISOString(),
}

type Path = readonly PropertyKey[]

/** Parses the answer of a published operation and gives missing fields a default. Null if it is invalid even then. */
export function parseLeniently<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> | null {
  const first = schema.safeParse(given)
  if (first.success) return first.data
  let filled = structuredClone(given)
  for (const fill of [nothing, none]) {
    const result = schema.safeParse(filled)
    if (result.success) return result.data
    for (const { path, ...issue } of result.error.issues) filled = set(filled, path, fill(path, issue as Issue))
  }
  const last = schema.safeParse(filled)
  return last.success ? last.data : null
}

interface Issue {
  readonly expected?: string
}

const asItIs = Symbol('as it is')

const nothing = (path: Path, issue: Issue): unknown => unsaid[String(path.at(-1))]?.(issue) ?? null
const none = (_: Path, { expected }: Issue): unknown => (expected === 'array' ? [] : asItIs)

function set(whole: unknown, path: Path, value: unknown): unknown {
  const name = path.at(-1)
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (isHolder(at) ? at[key] : undefined), whole)
  if (value !== asItIs && name !== undefined && isHolder(holder) && (holder[name] === undefined || holder[name] === null))
    holder[name] = value
  return whole
}

const isHolder = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null

/** The schema of an answer with this status. Null: it has no body. Undefined: the operation does not answer with this status. */
export function answerSchema(route: Route, status: number): z.ZodType | null | undefined {
  const declared = route.answers[status]
  // The published API does not define success statuses either, so accept any 2xx except 202, which means pending.
  if (declared !== undefined || !route.published || status < 200 || status > 299 || status === 202) return declared
  return Object.entries(route.answers).find(([usual]) => usual !== '202')?.[1]
}
