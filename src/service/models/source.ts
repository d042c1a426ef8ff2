import { retryAfterMs } from '#base/clock.ts'
import http from 'node:http'
import https from 'node:https'
import { type ProxyFor, proxyRules } from '#base/practice-network.ts'
import { AppError } from '#contract/errors.ts'

export interface SourceAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: http.IncomingMessage
}

export interface Source {
  get(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer>
  close(): void
}

export class Interruption extends Error {
  override readonly name = 'Interruption'
  readonly waitMs: number | null

  constructor(message: string, waitMs: number | null = null) {
    super(message)
    this.waitMs = waitMs
  }
}

const MAX_REDIRECTS = 5
const redirects = new Set([301, 302, 303, 307, 308])

export interface SourceOptions {
  readonly proxyFor?: ProxyFor
  readonly idleMs?: number
}

export function openSource({ proxyFor = proxyRules(), idleMs = 30_000 }: SourceOptions = {}): Source {
  const agents = new Map<string, http.Agent>()
  const agentFor = ({ protocol }: URL, proxy: string | null): http.Agent => {
    const key = `${protocol} ${proxy}`
    const proxyEnv = proxy === null ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
    const agent = agents.get(key) ?? new (protocol === 'http:' ? http : https).Agent({ keepAlive: true, proxyEnv })
    agents.set(key, agent)
    return agent
  }
  return {
    async get(address, headers, signal) {
      const first = new URL(address)
      let url = first
      for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
        const answer = await ask(url, headers, signal)
        const next = answer.headers.location
        if (!redirects.has(answer.status) || next === undefined) return answer
        answer.body.resume()
        url = new URL(next, url)
        if (!isSafe(url)) throw new AppError('download-failed', 'The download server redirected to an unencrypted address.')
        if (!mayFollow(first, url)) throw new AppError('download-failed', 'The download server redirected back to this computer.')
      }
      throw new AppError('download-failed', 'The download server redirected too many times.')
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }

  async function ask(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer> {
    if (!isSafe(url)) throw new AppError('download-failed', 'Models can be downloaded only over https.')
    const agent = agentFor(url, await proxyFor(url))
    return new Promise((resolve, reject) => {
      const request = url.protocol === 'https:' ? https.request : http.request
      const asked = request(url, {
        agent,
        signal,
        headers: { 'user-agent': 'Afterword', 'accept-encoding': 'identity', ...headers },
      })
      asked.setTimeout(idleMs, () => asked.destroy(new Interruption('nothing came for a while')))
      asked.on('response', (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }))
      asked.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : broken(error)))
      asked.end()
    })
  }
}

function broken(error: Error): Error {
  if (error instanceof Interruption) return error
  const { code, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number }
  if (code === 'ERR_PROXY_TUNNEL' && statusCode !== undefined && statusCode < 500)
    return new AppError('download-failed', `This network’s proxy blocked the download (${statusCode}).`)
  if (untrusted.test(code ?? ''))
    return new AppError(
      'download-failed',
      'This computer doesn’t trust the download server’s certificate. Someone on the network may be reading the connection.',
    )
  return new Interruption(code ?? error.name)
}

const untrusted = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT_)/

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const isHere = (address: URL): boolean => loopback.test(address.hostname)

function isSafe(address: URL): boolean {
  return address.protocol === 'https:' || (address.protocol === 'http:' && isHere(address))
}

/** A remote source must not redirect to loopback, where local services could trust the request. */
export function mayFollow(first: URL, next: URL): boolean {
  return isSafe(next) && (!isHere(next) || isHere(first))
}

export function mirrored(address: string, mirror: string | null): string {
  if (mirror === null) return address
  const { pathname, search } = new URL(address)
  return `${checkMirror(mirror)}${pathname}${search}`
}

export function checkMirror(mirror: string): string {
  const url = new URL(mirror)
  const refuse = (code: string, message: string) =>
    new AppError('validation-failed', message, [{ pointer: '/mirror', code, message }])
  if (!isSafe(url)) throw refuse('not-encrypted', 'Use an https address, unless the mirror is on this computer.')
  if (url.username !== '' || url.password !== '')
    throw refuse('credentials', 'Remove the name, password, or key from the address.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const PATIENCE_MS = 120_000

export function refusalOf({ status, headers }: SourceAnswer, clock: () => number = Date.now): Error {
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers['retry-after'], clock())
    if (waitMs === null || waitMs <= PATIENCE_MS) return new Interruption(`status ${status}`, waitMs)
    return failed(`The download server asks Afterword to wait ${Math.ceil(waitMs / 60_000)} minutes.`)
  }
  if (status >= 500 || status === 408 || status === 425) return new Interruption(`status ${status}`)
  if (status === 404 || status === 410) return failed('The download server doesn’t have this file.')
  if (status === 401 || status === 403)
    return failed(`The download server or your network refused this file (${status}). A mirror may have it.`)
  if (status === 407) return failed('This network’s proxy requires a name and password (407).')
  return failed(`The download server returned an error (${status}).`)
}

const failed = (detail: string): AppError => new AppError('download-failed', detail)
