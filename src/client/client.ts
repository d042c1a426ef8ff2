import { AppError, type ErrorCode, type FieldProblem, isErrorCode } from '#contract/errors.ts'
import { type Problem, problemSchema } from '#contract/model/problem.ts'
import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'
import type { Route } from '#contract/rest/route.ts'
import { type DayQuota, quotaOf, retrySecondsOf } from './limits.ts'
import {
  type OperationId,
  type RouteAnswer,
  type RouteBodyInput,
  type RouteParams,
  type RouteQueryInput,
  routes,
} from '#contract/rest/routes.ts'
import { answerSchema, jsonOf, letGo, notAService, parseLeniently, requireAnswer, requireOwnWord } from './answer.ts'
import { answerWithin, type Patience, patienceFor, patienceForPart, realTimer, type Timer } from './patience.ts'
import { createPace, sendUpload, type UploadPart, type UploadProgress, type UploadSource } from './upload.ts'

export interface ClientOptions {
  readonly base_url: string
  readonly token?: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly onQuota?: (quota: DayQuota) => void
  readonly timer?: Timer | null
}

interface CallOptions {
  readonly idempotencyKey?: string
  readonly ifMatch?: string | number
  readonly preferAsync?: boolean
  readonly signal?: AbortSignal
}

export type CallInput<Id extends OperationId> = Given<'params', RouteParams<Id>> &
  GivenOrNot<'query', RouteQueryInput<Id>> &
  Given<'body', RouteBodyInput<Id>> &
  CallOptions
type Given<Name extends string, Value> = [Value] extends [undefined] ? unknown : { readonly [Key in Name]: Value }
type GivenOrNot<Name extends string, Value> = [Value] extends [undefined] ? unknown : { readonly [Key in Name]?: Value }

export interface CallResult<Id extends OperationId> {
  readonly status: number
  readonly data: RouteAnswer<Id>
  readonly etag: string | null
  readonly location: string | null
  readonly replayed: boolean
}

export type ServiceClient = ReturnType<typeof createServiceClient>

interface Loose extends CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

export function createServiceClient(options: ClientOptions) {
  const { base_url, token } = options
  const send = senderOf(options)
  const base = base_url.replace(/\/+$/, '')
  const pace = createPace()
  const elapsed = (): number => performance.now()
  return {
    /**
     * @throws AppError with the service's error code or the one for the HTTP status; `service-unreachable` without a valid
     *   answer; the reason of `signal`
     */
    async call<Id extends OperationId>(operation: Id, input: CallInput<Id>): Promise<CallResult<Id>> {
      const response = await answerTo(operation, input)
      const route: Route = routes[operation]
      return {
        status: response.status,
        data: (await answerOf(route, response, input.signal)) as RouteAnswer<Id>,
        etag: response.headers.get('etag'),
        location: response.headers.get('location'),
        replayed: response.headers.get('idempotency-replayed') === 'true',
      }
    },
    ask: <Id extends OperationId>(operation: Id, input: CallInput<Id>, accept?: string) => answerTo(operation, input, accept),
    upload: (source: UploadSource, progress: UploadProgress) =>
      sendUpload(source, { pace, elapsed, send: (path, part) => sendPart(path, part, progress.signal) }, progress),
  }

  async function sendPart(path: string, { headers, ...part }: UploadPart, signal: AbortSignal | undefined): Promise<Response> {
    const init = { ...part, headers: new Headers({ ...headers, ...authorization(token) }) }
    return send(base + path, init, { patience: () => patienceForPart(part.body?.length ?? 0), signal, operation: null })
  }

  async function answerTo(operation: OperationId, given: Loose, accept = 'application/json'): Promise<Response> {
    const route: Route = routes[operation]
    const request = requestFor(token, route, given, accept)
    const call = {
      bytes: request.body?.length ?? 0,
      isAsync: given.preferAsync === true,
      isEvents: accept === 'text/event-stream',
    }
    const { signal } = given
    return send(addressFor(base, route, given), request, {
      patience: () => patienceFor(route, call),
      signal,
      operation,
    })
  }
}

function senderOf({ fetch, onQuota, timer = realTimer }: ClientOptions) {
  return async function send(url: string, init: RequestInit, { patience, signal, operation }: Asking): Promise<Response> {
    const ask = (heeded: AbortSignal | undefined): Promise<Response> =>
      fetch(new Request(url, { ...init, redirect: 'error', ...(heeded === undefined ? {} : { signal: heeded }) }))
    refusePlainText(url)
    try {
      const response = await requireAnswer(
        timer === null ? await ask(signal) : await answerWithin(ask, { patience: patience(), timer, signal }),
      )
      const quota = onQuota === undefined ? null : quotaOf(response.headers)
      if (quota !== null) onQuota?.(quota)
      if (!response.ok) {
        const body = init.method === 'HEAD' ? undefined : await jsonOf(response, signal)
        if (operation !== null) requireOwnWord(response, body, operation)
        throw problemIn(response, body)
      }
      return response
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error
      throw new AppError('service-unreachable', undefined, [], { cause: error })
    }
  }
}

interface Asking {
  readonly patience: () => Patience
  readonly signal: AbortSignal | undefined
  readonly operation: OperationId | null
}

function requestFor(token: string | undefined, route: Route, input: Loose, accept: string) {
  const headers = new Headers({ Accept: accept, ...authorization(token) })
  if (route.body) headers.set('Content-Type', 'application/json')
  if (route.method === 'POST') headers.set('Idempotency-Key', input.idempotencyKey ?? crypto.randomUUID())
  if (input.ifMatch !== undefined)
    headers.set('If-Match', typeof input.ifMatch === 'number' ? `"${input.ifMatch}"` : input.ifMatch)
  if (input.preferAsync) headers.set('Prefer', 'respond-async')
  return { method: route.method, headers, ...(route.body ? { body: JSON.stringify(input.body) } : {}) }
}

const authorization = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` }

function addressFor(base: string, route: Route, { params = {}, query = {} }: Loose): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  return base + (path === '/' ? '' : path) + (asked.size > 0 ? `?${asked}` : '')
}

async function answerOf(route: Route, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const schema = answerSchema(route, response.status)
  if (schema === undefined) {
    await letGo(response)
    throw notAService()
  }
  if (schema === null) return letGo(response)
  const given = await jsonOf(response, signal)
  const answer = route.published ? parseLeniently(schema, given) : schema.safeParse(given).data
  if (answer === undefined || answer === null)
    throw new AppError('service-unreachable', 'The service answers something that is not in its contract.')
  return answer
}

export class StaleRecord extends AppError {
  readonly current: unknown

  constructor(detail: string, current: unknown) {
    super('stale-version', detail)
    this.current = current
  }
}

export class SlotTaken extends AppError {
  readonly conflicts: readonly ScheduleConflict[]
  readonly proposals: readonly ScheduleProposal[]

  constructor(code: ErrorCode, detail: string | undefined, problem: Pick<Problem, 'conflicts' | 'proposals'>) {
    super(code, detail)
    this.conflicts = problem.conflicts ?? []
    this.proposals = problem.proposals ?? []
  }
}

export class ServiceBusy extends AppError {
  constructor(retrySeconds: number | undefined) {
    super('service-unreachable', undefined, [], { retrySeconds })
  }
}

/** HTTP 404 without a JSON body: the gateway reaches no service, or the service does not know the operation. */
export class NothingThere extends AppError {
  constructor() {
    super('not-found')
  }
}

const NETWORK_WANTS_SIGN_IN = 511

function problemIn(response: Response, body: unknown): AppError {
  const problem = problemSchema.partial().safeParse(body)
  const { code: said, detail, errors, current, ...more } = problem.success ? problem.data : {}
  const code = isErrorCode(said) ? said : codeFor(response.status)
  const retrySeconds = retrySecondsOf(response.headers)
  if (said === 'stale-version') return new StaleRecord(detail ?? '', current)
  if (isErrorCode(said) && more.proposals !== undefined) return new SlotTaken(said, detail, more)
  if (code === 'service-unreachable' && response.status !== NETWORK_WANTS_SIGN_IN) return new ServiceBusy(retrySeconds)
  if (code === 'not-found' && body === null) return new NothingThere()
  const fields: readonly FieldProblem[] = errors ?? []
  return new AppError(code, isErrorCode(said) ? detail : undefined, fields, { retrySeconds })
}

const byStatus = {
  400: 'bad-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  409: 'conflict',
  410: 'gone',
  412: 'stale-version',
  413: 'too-large',
  415: 'unsupported-media',
  422: 'validation-failed',
  423: 'already-signed',
  428: 'version-required',
  429: 'quota-exceeded',
} as const

function codeFor(status: number) {
  return Object.hasOwn(byStatus, status) ? byStatus[status as keyof typeof byStatus] : 'service-unreachable'
}

/** Loopback hosts, and names under `invalid`, which never resolve (RFC 6761, 6.3 and 6.4). */
const never = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|(?:[\w-]+\.)+invalid)$/i

function refusePlainText(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !never.test(hostname))
    throw new AppError('service-unreachable', 'Only https is allowed, except on this machine.')
}
