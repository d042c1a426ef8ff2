import type { Context } from 'hono'
import { Hono } from 'hono'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { basesOf } from '#contract/rest/addresses.ts'
import type { Route } from '#contract/rest/route.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { routes } from '#contract/rest/routes.ts'
import { withLimits } from '#service/access/limited-fields.ts'
import { audit } from './audit-refusals.ts'
import { ContractBreach, isDeclaredFailure } from '#service/kernel/answer-check.ts'
import type { Authenticate } from './authentication.ts'
import { authentication } from './authentication.ts'
import { body } from './body.ts'
import { contentType } from './content-type.ts'
import type { Observe } from './observation.ts'
import { observation } from './observation.ts'
import { openLedger } from './ledger.ts'
import { quotaFields } from './quota.ts'
import { requestId } from './request-id.ts'
import { lettingInAgain, roleReach } from './role-reach.ts'
import type { Env, Guard } from './variables.ts'
import { validation } from './validation.ts'
import type { Handler, Handlers, StreamHandler } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import type { resourceMetadata } from '#service/oauth/metadata.ts'
import { namingTheField } from '#service/kernel/not-found.ts'
import { perform } from './perform.ts'
import { performStream } from './perform-stream.ts'
import { problemResponse } from './problems.ts'
import { describeApi } from './reference/routes.ts'
import { uploadOptions } from '#service/uploads/upload-options.ts'

interface Surroundings {
  /** Told of every call, for logs and metrics. */
  readonly observe?: Observe | undefined
  /** Whose access tokens are taken; the OpenAPI document names them. */
  readonly issuers?: readonly string[] | undefined
  /** How to sign in, told to anybody (RFC 9728). */
  readonly signIn?: ReturnType<typeof resourceMetadata>
}

/** The REST API, made from the contract's route table: every notation of an address, one handler behind all. */
export function createApp(
  handlers: Handlers,
  authenticate: Authenticate,
  services: Services,
  around: Surroundings = {},
): Hono<Env> {
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
  // Open to anybody: it says what the service can do, nothing of what it holds.
  for (const address of describeApi(app, around.issuers ?? [])) methods.set(address, new Set(['GET']))
  const { signIn = null } = around
  if (signIn !== null) methods.set(signIn.path, new Set(['GET']))
  if (signIn !== null) app.get(signIn.path, (c) => c.json(signIn.document))
  answerOtherMethods(app, methods, services)
  app.notFound((c) => problemResponse(c, new AppError('not-found', 'There is nothing at this address.'), c.get('request_id')))
  app.onError((error, c) => problemResponse(c, expected(error, c), c.get('request_id')))
  return app

  /** An undeclared failure is a bug of ours: logged by code, answered as `internal`. */
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

/** Of two operations at one address the one that is told by a header is asked first. */
function inOrder(): [OperationId, Route][] {
  const all = Object.entries(routes) as [OperationId, Route][]
  return [...all.filter(([, { when }]) => when !== undefined), ...all.filter(([, { when }]) => when === undefined)]
}

/** Passed over where the header is not sent: another operation at this address is meant. */
function onlyWith(header: string | undefined, step: Guard): Guard {
  if (header === undefined) return step
  return (c, next) => (c.req.header(header) === undefined ? next() : step(c, next))
}

/** In Hono's notation. */
function addressesOf(route: Route): string[] {
  const path = route.path === '/' ? '' : route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  return basesOf(route).map((base) => base + path)
}
