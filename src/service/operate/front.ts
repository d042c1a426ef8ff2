import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { problemOf } from '#service/kernel/problem.ts'
import type { Metrics } from './metrics.ts'

interface Front {
  /** The service itself; null while it starts. */
  readonly service: () => { readonly fetch: AnswerFrom } | null
  readonly isReady: () => Promise<boolean>
  readonly isDraining: () => boolean
  readonly metrics: Metrics
  readonly metricsToken: string | null
  /** Behind a proxy every caller seems to be near, so a token is demanded. */
  readonly isBehindProxy: boolean
  /** Callers reach it over TLS, its own or the proxy's. */
  readonly isSecure: boolean
  readonly log: Log
}

export type AnswerFrom = (request: Request, from: string | undefined) => Promise<Response>

/**
 * What the operator's machinery asks, in front of the service: is it alive, is it ready, how much does it do. Nothing
 * of it is counted, logged or needs a caller's key, and none of it says anything about what is kept here.
 */
export function frontOf({
  service,
  isReady,
  isDraining,
  metrics,
  metricsToken,
  isBehindProxy,
  isSecure,
  log,
}: Front): AnswerFrom {
  let isProxyReported = false
  return async (request, from) => {
    if (!isBehindProxy) reportProxy(request)
    const response = await answer(request, isBehindProxy ? behindProxy(request) : from)
    if (isSecure) response.headers.set('Strict-Transport-Security', 'max-age=31536000')
    // A connection that is kept would be cut off later, in the middle of the next call.
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

  /** Without the setting every caller behind the proxy has the proxy's address, in the log and for the limit of refused calls. */
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

/** The last one is what the proxy itself saw; those before it are whatever the caller wrote. */
function behindProxy(request: Request): string | undefined {
  const last = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  return last !== undefined && isIP(last) > 0 ? last : undefined
}

function starting(): Response {
  const problem = problemOf(
    new AppError('service-unreachable', 'The service is starting. Try again in a few seconds.'),
    newId(systemClock),
  )
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
