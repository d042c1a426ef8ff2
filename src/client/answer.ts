import type { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { Route } from '#contract/rest/route.ts'
import type { OperationId } from '#contract/rest/routes.ts'

const page = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** Statuses for which a gateway in front of the service may send its own HTML page. */
const ofTheGateway: ReadonlySet<number> = new Set([413, 429, 502, 503, 504])
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Refuses redirects and HTML pages, which a captive portal may send, except HTML with a status in `ofTheGateway`.
 * @throws AppError `service-unreachable`
 */
export async function requireAnswer(response: Response): Promise<Response> {
  const isElsewhere =
    response.redirected || response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  const isPage = page.test(response.headers.get('content-type') ?? '')
  if (!isElsewhere && (!isPage || ofTheGateway.has(response.status))) return response
  await letGo(response)
  throw notAService()
}

/**
 * Refuses a 410 without an error code of the service, and a 404 for `getOperation` without a JSON body. A gateway may send
 * both, and the app would delete its record or start the work again.
 */
export function requireOwnWord({ status }: Response, body: unknown, operation: OperationId): void {
  const isLostWork = status === 404 && operation === 'getOperation' && body === null
  const isGone = status === 410 && !ownWordSchema.safeParse(body).success
  if (isLostWork || isGone) throw notAService()
}

const ownWordSchema = problemSchema.pick({ code: true })

/**
 * Null if the body is not JSON and was not declared as JSON.
 * @throws AppError `service-unreachable` if the body was cut off, is longer than 64 MiB, or was declared as JSON but is not;
 *   the reason of `signal`
 */
export async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const text = await textOf(response, signal)
  try {
    return JSON.parse(text)
  } catch {
    if (/\bjson\b/i.test(response.headers.get('content-type') ?? '')) throw notAService()
    return null
  }
}

async function textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length
      if (bytes > MAX_BYTES) throw notAService()
      text += decoder.decode(piece, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof AppError) throw error
    throw new AppError('service-unreachable', 'The answer broke off.', [], { cause: error })
  }
}

export async function letGo(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}

export function notAService(): AppError {
  return new AppError('service-unreachable', 'What answers at this address is not a service we know.')
}

const unsaid: Readonly<Record<string, (issue: Issue) => unknown>> = {
  version: ({ expected }) => (expected === 'string' ? '' : 1),
  created_at: () => new Date().toISOString(),
  updated_at: () => new Date().toISOString(),
}

type Path = readonly PropertyKey[]

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

export function answerSchema(route: Route, status: number): z.ZodType | null | undefined {
  const declared = route.answers[status]
  // The published API does not define success statuses, except 202 (pending).
  if (declared !== undefined || !route.published || status < 200 || status > 299 || status === 202) return declared
  return Object.entries(route.answers).find(([usual]) => usual !== '202')?.[1]
}

type Page<Item> = { readonly data: { readonly data: readonly Item[]; readonly next_cursor: string | null } }

export async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data: page } = await read({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.data)
    cursor = page.next_cursor === cursor ? null : page.next_cursor
  }
  return found
}

/** Server-sent event (WHATWG HTML, 9.2.6). A block without data, such as a keep-alive comment, is not an event. */
export type ServerEvent = NonNullable<ReturnType<typeof eventIn>>

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    yield blocks.flatMap((block) => eventIn(block) ?? [])
  }
}

function eventIn(block: string) {
  const fields = block.split(/\r?\n/).map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    return [name, value]
  })
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
  if (data.length === 0) return null
  const last = (name: string): string | null => fields.findLast(([field]) => field === name)?.[1] ?? null
  return { event: last('event') ?? 'message', id: last('id'), data: data.join('\n') }
}
