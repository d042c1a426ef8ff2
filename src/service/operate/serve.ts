import { join, resolve } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { openService, type Service } from '#service/compose/open-service.ts'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { problemOf } from '#service/kernel/problem.ts'
import { audioStoreOf } from './copy.ts'
import { languageOf, payerOf, resources, type Settings, speechOf } from './settings.ts'
import { type Listener, listen, createMetrics, type Metrics } from './listen.ts'
import { lockData, openPlace, type Say } from './place.ts'

/** Binds the port before creating the first practice, because a later failure would lose the owner key, which is shown once. */
export async function serve(settings: Settings, log: Log, say: Say): Promise<void> {
  let service: Service | null = null
  let isDraining = false
  const isReady = async (): Promise<boolean> => service !== null && service.isReady()
  const metrics = createMetrics({
    work: async () => service?.work() ?? [],
    isReady,
    pool: () => service?.connections() ?? null,
    now: systemClock.now,
  })
  const { host, port } = settings
  const { tls_certificate: certificate, tls_key: key } = settings
  const tls = certificate === undefined || key === undefined ? null : { certificate, key }
  const front = frontOf({
    service: () => service,
    isReady,
    isDraining: () => isDraining,
    metrics,
    metricsToken: settings.metrics_token ?? null,
    isBehindProxy: settings.behind_proxy,
    isSecure: tls !== null || settings.behind_proxy,
    log,
  })
  const listener = await listen({ fetch: front, host, port, tls })
  const data = resolve(settings.data)
  const lock = settings.database_url === undefined ? lockData(data) : null
  service = await open(settings, log, metrics)
  const stopping = asked(() => (isDraining = true))
  if (service.ownerKey !== null) say(`owner key: ${service.ownerKey}`)
  say(`listening on ${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}/v1`)
  log.info('service.listening', { port: listener.port, data })
  process.on('SIGHUP', () => reload(listener, log))
  await stopping
  await drain(service, listener, settings, log)
  lock?.release()
}

async function open(settings: Settings, log: Log, metrics: Metrics): Promise<Service> {
  const { data, store, key } = await openPlace(settings, log)
  const speech = speechOf(settings)
  const language = languageOf(settings)
  const payer = payerOf(settings)
  const service = await openService({
    store,
    audio: null,
    speech: () => speech,
    engines: forkedEngines(),
    models: { resources: resources(), folder: join(data, 'models') },
    language: () => language,
    payer: () => payer,
    ...(settings.oauth_issuers === undefined ? {} : { oauth: { issuers: settings.oauth_issuers } }),
    blobs: audioStoreOf(settings, data),
    uploads: { mostBytes: settings.upload_limit * 1024 * 1024 },
    clock: systemClock,
    log,
    consentPolicy: settings.consent,
    caller: 'api-keys',
    ...(settings.plan === undefined ? {} : { plan: settings.plan }),
    observe: ({ operation, status, duration_ms, request_id, practice, code }) => {
      metrics.observe({ operation, status, duration_ms, code })
      // Don't log paths, queries, bodies or names.
      log.info('call', { operation, status, duration_ms: Math.round(duration_ms * 100) / 100, request_id, practice, code })
    },
  })
  key.fill(0)
  return service
}

function reload(listener: Listener, log: Log): void {
  try {
    listener.reloadTls()
    log.info('tls.reloaded')
  } catch {
    log.error('tls.unusable')
  }
}

function asked(begun: () => void): Promise<void> {
  return new Promise((stop) => {
    let isAsked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(1)
        isAsked = true
        begun()
        stop()
      })
    }
  })
}

/**
 * Graceful shutdown after a signal:
 *
 *   /readyz fails, connections are still accepted (delay for the load balancer)
 *   -> no new connections; event streams end, running jobs are interrupted
 *   -> calls finish within the limit, the rest are cut off
 *   -> the store closes
 */
async function drain(service: Service, listener: Listener, settings: Settings, log: Log): Promise<void> {
  const { drain_delay, drain_limit } = settings
  log.info('service.draining')
  if (drain_delay > 0) await later(drain_delay * 1000)
  const closed = listener.close()
  const answered = service.drain().then(() => closed)
  const limit = new AbortController()
  const late = later(drain_limit * 1000, true, { signal: limit.signal }).catch(() => false)
  if (await Promise.race([answered.then(() => false), late])) {
    log.warn('service.cut-off')
    listener.cutOff()
  }
  limit.abort()
  await closed
  await service.close()
  log.info('service.closed')
}

interface Front {
  readonly service: () => { readonly fetch: AnswerFrom } | null
  readonly isReady: () => Promise<boolean>
  readonly isDraining: () => boolean
  readonly metrics: Metrics
  readonly metricsToken: string | null
  /** Behind a proxy every caller may look local, so reading metrics requires a token. */
  readonly isBehindProxy: boolean
  readonly isSecure: boolean
  readonly log: Log
}

type AnswerFrom = (request: Request, from: string | undefined) => Promise<Response>

export function frontOf(front: Front): AnswerFrom {
  const { service, isReady, isDraining, metrics, metricsToken, isBehindProxy, isSecure, log } = front
  let isProxyReported = false
  return async (request, from) => {
    if (!isBehindProxy) reportProxy(request)
    const response = await answer(request, isBehindProxy ? behindProxy(request) : from)
    if (isSecure) response.headers.set('Strict-Transport-Security', 'max-age=31536000')
    if (isDraining()) response.headers.set('Connection', 'close')
    return response
  }

  async function answer(request: Request, from: string | undefined): Promise<Response> {
    const path = pathOf(request.url)
    if (path !== '/healthz' && path !== '/readyz' && path !== '/metrics') return service()?.fetch(request, from) ?? starting()
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'method not allowed', { Allow: 'GET, HEAD' })
    if (path === '/healthz') return plain(200, 'alive')
    if (path === '/readyz') return !isDraining() && (await isReady()) ? plain(200, 'ready') : plain(503, 'not ready')
    if (!mayRead(request, from)) return plain(metricsToken === null ? 404 : 401, 'not for you')
    return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType, ...unkept } })
  }

  function reportProxy(request: Request): void {
    if (isProxyReported || !request.headers.has('x-forwarded-for')) return
    isProxyReported = true
    log.warn('proxy.unexpected', {
      advice:
        'A call carries X-Forwarded-For, which is ignored. Set --behind-proxy if a proxy of yours is in front of the service.',
    })
  }

  function mayRead(request: Request, from: string | undefined): boolean {
    if (metricsToken === null) return !isBehindProxy && isNear(from)
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
    return timingSafeEqual(digest(given), digest(metricsToken))
  }
}

/** The proxy adds the last address of X-Forwarded-For; callers can forge the ones before it. */
function behindProxy(request: Request): string | undefined {
  const last = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  return last !== undefined && isIP(last) > 0 ? last : undefined
}

function starting(): Response {
  const error = new AppError('service-unreachable', 'The service is starting. Try again in a few seconds.')
  const problem = problemOf(error, newId(systemClock))
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '2', ...unkept }
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

const unkept = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...unkept, ...headers } })
}

const isNear = (from: string | undefined): boolean => from !== undefined && /^(::1|(::ffff:)?127\.)/.test(from)
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end)
}
