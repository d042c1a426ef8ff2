import { type Context, Hono } from 'hono'
import { errorKind } from '#base/log.ts'
import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { type OperationId, routes, basesOf } from '#contract/rest/routes.ts'
import { withLimits } from '#service/access/limited-fields.ts'
import { ContractBreach, isDeclaredFailure } from '#service/kernel/answer-check.ts'
import { auditEvent, type Connection, type Handler, type Handlers, type StreamHandler } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { type resourceMetadata, scopesFor } from '#service/oauth/issuer.ts'
import { namingTheField, problemOf, Stale } from '#service/kernel/problem.ts'
import { uploadOptions } from '#service/uploads/upload-services.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { appendAudit } from '#service/store/audit.ts'
import { inPractice } from '#service/store/in-practice.ts'
import type { Write } from '#service/store/tables.ts'
import { audit, type Authenticate, authentication, bearerToken, lettingInAgain, roleReach } from './admission.ts'
import { quotaFields, openLedger } from './quota.ts'
import { validation, body } from './validation.ts'
import { callOf, perform } from './perform.ts'
import { describeApi } from './reference/routes.ts'
import { type Observe, observation, type Env, type Guard } from './request.ts'

interface Surroundings {
  readonly observe?: Observe | undefined
  readonly issuers?: readonly string[] | undefined
  readonly signIn?: ReturnType<typeof resourceMetadata>
}

export function createApp(handlers: Handlers, authenticate: Authenticate, services: Services, around: Surroundings = {}) {
  const app = new Hono<Env>({ strict: false })
  const methods = new Map<string, Set<string>>()
  const ledger = openLedger(services.clock)
  if (around.observe !== undefined) app.use(observation(around.observe, services.clock))
  app.use(requestId(services.clock))
  for (const [operation, route] of inOrder()) {
    const named: Guard = async (c, next) => {
      c.set('route', { operation, route })
      await next()
    }
    const letInAgain = lettingInAgain(route, authenticate, services)
    const guards = [
      named,
      quotaFields,
      authentication(route, authenticate, services.refusals),
      audit(operation, route, services, ledger, letInAgain),
      roleReach(route, services, letInAgain),
      contentType(route),
      body(route, services.bytes),
      validation(route),
    ]
    const work =
      route.stream === undefined
        ? perform(operation, route, withLimits(operation, handlers[operation] as Handler), services, ledger, letInAgain)
        : performStream(operation, route, handlers[operation] as StreamHandler, services, authenticate)
    const steps = [...guards, work].map((step) => onlyWith(route.when, step))
    for (const address of addressesOf(route)) {
      app.on(route.method, [address], ...steps)
      methods.set(address, (methods.get(address) ?? new Set()).add(route.method))
    }
  }
  for (const address of describeApi(app, around.issuers ?? [])) methods.set(address, new Set(['GET']))
  const { signIn = null } = around
  if (signIn !== null) methods.set(signIn.path, new Set(['GET']))
  if (signIn !== null) app.get(signIn.path, (c) => c.json(signIn.document))
  answerOtherMethods(app, methods, services)
  app.notFound((c) => problemResponse(c, new AppError('not-found', 'There is nothing at this address.'), c.get('request_id')))
  app.onError((error, c) => problemResponse(c, expected(error, c), c.get('request_id')))
  return app

  function expected(error: Error, c: Context<Env>): AppError {
    const called = c.get('route')
    const isExpected = error instanceof AppError && (called === undefined || isDeclaredFailure(called.route, error))
    if (isExpected) return namingTheField(error, c.get('input'))
    const operation = called?.operation ?? null
    if (error instanceof ContractBreach)
      services.log.error('contract.answer', { operation, status: error.status, at: error.pointers })
    else services.log.error('service.failed', { operation, kind: error instanceof AppError ? error.code : errorKind(error) })
    return new AppError('internal')
  }
}

function answerOtherMethods(app: Hono<Env>, methods: ReadonlyMap<string, ReadonlySet<string>>, { uploads }: Services): void {
  for (const [address, allowed] of methods) {
    const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    const more = address.endsWith('/uploads') ? uploadOptions(uploads) : {}
    app.options(address, (c) => c.body(null, 204, { Allow: allow, ...more }))
    app.all(address, (c) => {
      c.header('Allow', allow)
      throw new AppError('method-not-allowed')
    })
  }
}

function inOrder(): [OperationId, Route][] {
  const all = Object.entries(routes) as [OperationId, Route][]
  return [...all.filter(([, { when }]) => when !== undefined), ...all.filter(([, { when }]) => when === undefined)]
}

function onlyWith(header: string | undefined, step: Guard): Guard {
  if (header === undefined) return step
  return (c, next) => (c.req.header(header) === undefined ? next() : step(c, next))
}

function addressesOf(route: Route): string[] {
  const path = route.path === '/' ? '' : route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  return basesOf(route).map((base) => base + path)
}

/** Creates every request ID: one sent by the caller could contain anything. */
function requestId(clock: Clock): Guard {
  return async (c, next) => {
    const id = newId(clock)
    c.set('request_id', id)
    await next()
    // Set headers in place: `c.header` would create a new response around a streamed body.
    const { headers } = c.res
    headers.set('X-Request-Id', id)
    headers.set('Cache-Control', 'no-store')
    headers.set('X-Content-Type-Options', 'nosniff')
  }
}

const octets = 'application/offset+octet-stream'

function contentType(route: Route): Guard {
  return async (c, next) => {
    const [type, ...parameters] = (c.req.header('content-type') ?? '').split(';').map((part) => part.trim().toLowerCase())
    const isBare = type === '' && c.req.raw.body === null
    if (route.stream === 'in' && type !== '' && type !== octets)
      throw new AppError('unsupported-media', `The body must be ${octets}.`)
    if (route.body && !isBare && type !== 'application/json')
      throw new AppError('unsupported-media', 'The body must be application/json.')
    // RFC 8259, 8.1: JSON is UTF-8.
    if (route.body && parameters.some((parameter) => /^charset\b/.test(parameter) && !/^charset="?utf-8"?$/.test(parameter)))
      throw new AppError('unsupported-media', 'The body must be UTF-8.')
    await next()
  }
}

function performStream(
  operation: string,
  route: Route,
  handler: StreamHandler,
  { db, clock }: Services,
  authenticate: Authenticate,
) {
  return async (c: Context<Env>): Promise<Response> => {
    const call = callOf(c, timestamp(clock))
    let isRecorded = false
    const record = async (write: Write, status: number, touched: readonly string[]): Promise<void> => {
      await appendAudit(write, call.practice, auditEvent(operation, route, call, timestamp(clock), String(status), { touched }))
      isRecorded = true
    }
    const connection: Connection = {
      request: c.req.raw,
      record,
      recheck: async () => ({ ...(await authenticate(c.req.raw, true)), source: call.caller.source }),
    }
    const response = await handler(call, connection)
    if (!isRecorded) {
      const { id } = (call.params ?? {}) as { id?: string }
      try {
        await inPractice(db, call.practice, (write) => record(write, response.status, id === undefined ? [] : [id]))
      } catch (error) {
        await response.body?.cancel()
        throw error
      }
    }
    if (c.req.raw.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  }
}

const extraHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  'sign-in-unavailable': { 'Retry-After': '5' },
  'practice-moved': { 'Retry-After': '30' },
  'still-running': { 'Retry-After': '1' },
  'service-unreachable': { 'Retry-After': '1' },
  'tus-version': { 'Tus-Version': '1.0.0' },
  'unsupported-media': { 'Accept-Post': 'application/json' },
}

function problemResponse(c: Context<Env>, error: AppError, requestId: string): Response {
  const problem = problemOf(error, requestId)
  const challenge = challengeFor(error, c.req.header('authorization'), c.get('route')?.route)
  return c.body(JSON.stringify(problem), problem.status as 400, {
    'Content-Type': 'application/problem+json',
    ...extraHeaders[error.code],
    ...(error instanceof Stale && error.etag !== null ? { ETag: error.etag } : {}),
    ...(challenge === null ? {} : { 'WWW-Authenticate': challenge }),
    ...(error.retrySeconds === undefined ? {} : { 'Retry-After': String(error.retrySeconds) }),
  })
}

const realm = 'Bearer realm="afterword"'

function challengeFor(error: AppError, authorization: string | undefined, route: Route | undefined): string | null {
  // RFC 6750, section 3.1: no error code for a call without credentials.
  if (errorKinds[error.code].status === 401)
    return bearerToken(authorization ?? null) === null ? realm : `${realm}, error="invalid_token"`
  if (error.code !== 'forbidden' || route === undefined) return null
  return `${realm}, error="insufficient_scope", scope="${scopesFor(route).join(' ')}"`
}
