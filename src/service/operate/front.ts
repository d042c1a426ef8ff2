import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Metrics } from './metrics.ts'

interface Front {
  /** The service itself. */
  readonly fetch: AnswerFrom
  readonly isReady: () => Promise<boolean>
  readonly isDraining: () => boolean
  readonly metrics: Metrics
  readonly metricsToken: string | null
  /** Behind a proxy every caller seems to be near, so a token is demanded. */
  readonly isBehindProxy: boolean
}

export type AnswerFrom = (request: Request, from: string | undefined) => Promise<Response>

/**
 * What the operator's machinery asks, in front of the service: is it alive, is it ready, how much does it do. Nothing
 * of it is counted, logged or needs a caller's key, and none of it says anything about what is kept here.
 */
export function frontOf({ fetch, isReady, isDraining, metrics, metricsToken, isBehindProxy }: Front): AnswerFrom {
  return async (request, from) => {
    const response = await answer(request, isBehindProxy ? behindProxy(request) : from)
    // A connection that is kept would be cut off later, in the middle of the next call.
    if (isDraining()) response.headers.set('Connection', 'close')
    return response
  }

  async function answer(request: Request, from: string | undefined): Promise<Response> {
    const path = pathOf(request.url)
    if (path !== '/healthz' && path !== '/readyz' && path !== '/metrics') return fetch(request, from)
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'method not allowed', { Allow: 'GET, HEAD' })
    if (path === '/healthz') return plain(200, 'alive')
    if (path === '/readyz') return !isDraining() && (await isReady()) ? plain(200, 'ready') : plain(503, 'not ready')
    if (!mayRead(request, from)) return plain(metricsToken === null ? 404 : 401, 'not for you')
    return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType, ...unkept } })
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
