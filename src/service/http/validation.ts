import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import type { FieldProblem } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { fieldMessage } from './field-message.ts'
import { nul, readJson } from './read-json.ts'
import type { Guard } from './variables.ts'
import { pointerTo } from '#service/kernel/json-pointer.ts'
import { notFoundAt } from '#service/kernel/not-found.ts'
import { requireEntityTag } from '#service/kernel/stale.ts'

/** Bytes. Others have their turn between the steps of a larger body: parsed, checked, carried out. */
const LARGE_BODY = 128 * 1024

/** Parameters, query and body as the contract says them; unknown fields are left out. */
export function validation(route: Route): Guard {
  return async (c, next) => {
    const params = route.params?.safeParse(c.req.param())
    // Whatever is not an id names no record.
    if (params && !params.success) throw notFoundAt('path parameter', params.error.issues[0]?.path ?? [])
    if (route.conditional) requireEntityTag(c.req.header('if-match'))
    const query = route.query && parsed(route.query, queryOf(c.req.url, route.query))
    const raw = route.body && readJson(c.get('bytes'))
    const isLarge = route.body !== undefined && c.get('bytes').length > LARGE_BODY
    if (isLarge) await setImmediate()
    const limit = route.bodyLimitOf?.(raw) ?? Infinity
    if (limit < Infinity && c.get('bytes').length > limit)
      throw new AppError('too-large', `A body like this may take ${Math.floor((limit * 10) / 2 ** 20) / 10} MiB.`)
    const body = route.body && parsed(route.body, raw, c.get('bytes').length > MAX_LISTED_BYTES)
    if (isLarge) await setImmediate()
    c.set('input', { params: params?.data, query, body, raw })
    await next()
  }
}

/** Enough to mend a form by; a long list of wrong things would be told at length. */
const mostProblems = 100
/** A larger body names the first problem alone: an array of wrong values has millions, which take seconds and gigabytes. */
const MAX_LISTED_BYTES = 64 * 1024
const listing: z.core.ParseContext<z.core.$ZodIssue> = { error: fieldMessage }
const firstAlone: z.core.ParseContextInternal<z.core.$ZodIssue> = { ...listing, abortEarly: true }

/** @throws AppError `validation-failed` */
function queryOf(url: string, { shape }: z.ZodObject): Record<string, string> {
  const { searchParams } = new URL(url)
  const query = Object.fromEntries(searchParams)
  for (const name of Object.keys(query)) if (searchParams.getAll(name).length > 1) throw twice(pointerTo([name]))
  for (const [name, value] of Object.entries(query))
    if (value.includes('\0')) throw nul(Object.hasOwn(shape, name) ? pointerTo([name]) : '')
  return query
}

const twice = (pointer: string): AppError =>
  new AppError('validation-failed', undefined, [{ pointer, code: 'repeated', message: 'Must be given once.' }])

/** @throws AppError `validation-failed` with where and what kind, never the value */
function parsed(schema: z.ZodType, value: unknown, isLarge = false): unknown {
  const result = schema.safeParse(value, isLarge ? firstAlone : listing)
  if (result.success) return result.data
  throw new AppError(
    'validation-failed',
    undefined,
    result.error.issues.slice(0, mostProblems).flatMap((issue) => problemsOf(issue, [])),
  )
}

/** Of a choice of shapes, the ones whose other members fit say more than "does not fit". */
function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldProblem[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted((left, right) => left.length - right.length)[0] ?? []
    if (nearest.length > 0) return nearest.flatMap((inner) => problemsOf(inner, path))
  }
  // A rule that the schema library has no word for.
  const code = issue.code === 'custom' ? 'invalid_value' : issue.code
  return [{ pointer: pointerTo(path), code, message: issue.message.slice(0, 400) }]
}
