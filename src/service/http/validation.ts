import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { AppError, type FieldProblem } from '#contract/errors.ts'
import { MAX_BODY_BYTES, type Route } from '#contract/rest/route.ts'
import { invalid, notFoundAt, pointerTo, requireEntityTag } from '#service/kernel/problem.ts'
import type { Guard } from './request.ts'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ByteBudget, OpenBody } from '#service/access/byte-budget.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time in UTC that ends in Z, for example `2026-11-24T15:00:00Z`',
  date: 'a date, for example `2026-11-24`',
  uuid: 'a UUID',
  email: 'an email address',
  url: 'an absolute URL',
  base64: 'base64',
}

/** States what a field must be, and no sent value except null. A schema's own message takes precedence. */
const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'This field is required.'
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${kindOf(issue)}${issue.input === null ? ', not null' : ''}.`
    case 'invalid_value':
      return issue.values.length === 1 ? `Must be ${listed(issue.values)}.` : `Must be one of ${listed(issue.values)}.`
    case 'invalid_format':
      return formats[issue.format] === undefined
        ? 'Must have the form the schema describes.'
        : `Must be ${formats[issue.format]}.`
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum)
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `Must be ${issue.maximum} or less.`
        : `Must have at most ${counted(issue.origin, issue.maximum)}.`
    case 'invalid_union':
      return 'Must have one of the forms the schema describes.'
    default:
      return 'Must be as the schema describes.'
  }
}

function kindOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const definition = issue.inst?._zod.def as { readonly format?: string } | undefined
  const isWhole = issue.expected === 'number' && definition?.format === 'safeint'
  return kinds[isWhole ? 'int' : issue.expected] ?? 'of another kind'
}

function tooSmall(origin: string, minimum: number | bigint): string {
  if (origin === 'number' || origin === 'int') return `Must be ${minimum} or more.`
  return Number(minimum) === 1 ? 'Must not be empty.' : `Must have at least ${counted(origin, minimum)}.`
}

const counted = (origin: string, count: number | bigint): string =>
  `${count} ${origin === 'string' ? 'character' : 'entr'}${ending(origin, Number(count))}`

function ending(origin: string, count: number): string {
  if (origin === 'string') return count === 1 ? '' : 's'
  return count === 1 ? 'y' : 'ies'
}

const listed = (values: readonly z.core.util.Primitive[]): string => values.map((value) => `\`${String(value)}\``).join(', ')

/** Bytes. A larger body makes `validation` yield to the event loop between parsing, validation, and execution. */
const LARGE_BODY = 128 * 1024

export function validation(route: Route): Guard {
  return async (c, next) => {
    const params = route.params?.safeParse(c.req.param())
    // A malformed id cannot name a record, so the answer is 404.
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

const MAX_PROBLEMS = 100
/** Bytes. Validation of a larger body stops early: listing millions of problems would take seconds and gigabytes of memory. */
const MAX_LISTED_BYTES = 64 * 1024
const listing: z.core.ParseContext<z.core.$ZodIssue> = { error: fieldMessage }
const firstAlone: z.core.ParseContextInternal<z.core.$ZodIssue> = { ...listing, abortEarly: true }

function queryOf(url: string, { shape }: z.ZodObject): Record<string, string> {
  const { searchParams } = new URL(url)
  const query = Object.fromEntries(searchParams)
  for (const name of Object.keys(query))
    if (searchParams.getAll(name).length > 1) throw invalid(pointerTo([name]), 'repeated', 'Must be given once.')
  for (const [name, value] of Object.entries(query))
    if (value.includes('\0')) throw nul(Object.hasOwn(shape, name) ? pointerTo([name]) : '')
  return query
}

function parsed(schema: z.ZodType, value: unknown, isLarge = false): unknown {
  const result = schema.safeParse(value, isLarge ? firstAlone : listing)
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => problemsOf(issue, []))
  throw new AppError('validation-failed', undefined, problems)
}

function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldProblem[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted((left, right) => left.length - right.length)[0] ?? []
    if (nearest.length > 0) return nearest.flatMap((inner) => problemsOf(inner, path))
  }
  const code = issue.code === 'custom' ? 'invalid_value' : issue.code
  return [{ pointer: pointerTo(path), code, message: issue.message.slice(0, 400) }]
}

/** Nesting limit, far above any valid body, so that recursive code can't overflow the stack. */
const DEEPEST = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{` differ only in this bit, as do `]` and `}`. */
const BRACE_BIT = 0x20
const OPENING = 0x5b
const CLOSING = 0x5d

function readJson(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) throw new AppError('bad-request', 'The body is nested too deeply.')
  const text = decoded(bytes)
  if (hasNul(text)) throw nul('')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad-request', 'The body is not JSON.')
  }
}

/** PostgreSQL cannot store U+0000 in text. */
const nul = (pointer: string): AppError => invalid(pointer, 'invalid_character', 'text cannot have the character U+0000')

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('bad-request', 'The body is not UTF-8.')
  }
}

/** Finds an escaped NUL, which follows an even number of backslashes. A raw NUL is not valid JSON. */
function hasNul(text: string): boolean {
  // The plain search is fast. The regular expression tries a match at every backslash, such as that of an escaped line break.
  return text.includes('u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(text)
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if ((byte & ~BRACE_BIT) === OPENING && (depth += 1) > DEEPEST) return true
    else if ((byte & ~BRACE_BIT) === CLOSING) depth -= 1
  }
  return false
}

/** Index of the closing quote, or the length if there is none. Most of a large body is strings, which `indexOf` skips. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start; ;) {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end === -1) return bytes.length
    let before = end
    while (bytes[before - 1] === BACKSLASH) before -= 1
    if ((end - before) % 2 === 0) return end
  }
}

const inflate = promisify(gunzip)

/** Reads the body up to the limit of the route. Routes with a raised limit also accept gzip, up to that size when unpacked. */
export function body(route: Route, budget: ByteBudget): Guard {
  const limit = route.bodyLimit ?? MAX_BODY_BYTES
  return async (c, next) => {
    if (!route.body) return next()
    const coding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
    const isGzip = coding === 'gzip' && route.bodyLimit !== undefined
    if (coding !== 'identity' && !isGzip) throw new AppError('unsupported-media', 'This content coding is not taken here.')
    const announced = c.req.header('content-length')
    if (Number(announced ?? 0) > limit) throw new AppError('too-large')
    const open = budget.open(c.get('caller'))
    try {
      const bytes =
        announced === undefined ? await read(c.req.raw.body, limit, open) : await readAnnounced(c.req.raw, limit, open)
      const unpacked = isGzip ? await unpack(bytes, limit) : bytes
      if (isGzip) open.take(unpacked.length)
      c.set('bytes', unpacked)
      await next()
    } finally {
      open.end()
    }
  }
}

async function readAnnounced(request: Request, limit: number, open: OpenBody): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > 0) open.take(announced)
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length > limit) throw new AppError('too-large')
  return bytes
}

async function read(stream: ReadableStream<Uint8Array> | null, limit: number, open: OpenBody): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream ?? []) {
    length += chunk.length
    if (length > limit) throw new AppError('too-large')
    open.take(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function unpack(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    return await inflate(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new AppError('too-large')
    throw new AppError('bad-request', 'The body is not gzip.', [], { cause: error })
  }
}
