import http from 'node:http'
import https from 'node:https'
import { type ProxyFor, proxyRules } from '#base/proxy.ts'
import { AppError } from '#contract/errors.ts'
import { isSafe, mayFollow } from './addresses.ts'

/** What is known of an answer before its body is read. */
export interface SourceAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: http.IncomingMessage
}

/** Fetches over the network, through the proxy for each address. */
export interface Source {
  /** @throws Interruption, AppError `download-failed` */
  get(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer>
  close(): void
}

/** Something on the way broke off; the same question may be answered later. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  /** As the source asked for, in milliseconds. */
  readonly waitMs: number | null

  constructor(message: string, waitMs: number | null = null) {
    super(message)
    this.waitMs = waitMs
  }
}

const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

export interface SourceOptions {
  /** As the environment says where it is left out. */
  readonly proxyFor?: ProxyFor
  /** Milliseconds without a byte after which a connection counts as broken. */
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
      for (let hops = 0; hops <= mostRedirects; hops += 1) {
        const answer = await ask(url, headers, signal)
        const next = answer.headers.location
        if (!redirects.has(answer.status) || next === undefined) return answer
        answer.body.resume()
        url = new URL(next, url)
        if (!isSafe(url)) throw new AppError('download-failed', 'The source sent us on to an address that is not encrypted.')
        if (!mayFollow(first, url)) throw new AppError('download-failed', 'The source sent us on to this machine itself.')
      }
      throw new AppError('download-failed', 'The source sends us from one address to the next without end.')
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }

  async function ask(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer> {
    if (!isSafe(url)) throw new AppError('download-failed', 'Models are fetched over https alone.')
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

/** What a second attempt would not change is for a person to know. */
function broken(error: Error): Error {
  if (error instanceof Interruption) return error
  const { code, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number }
  if (code === 'ERR_PROXY_TUNNEL' && statusCode !== undefined && statusCode < 500)
    return new AppError('download-failed', `The proxy of this network does not let us through (${statusCode}).`)
  if (untrusted.test(code ?? ''))
    return new AppError(
      'download-failed',
      'The source’s certificate is not trusted on this machine. A network in between may look into what is sent.',
    )
  return new Interruption(code ?? error.name)
}

const untrusted = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ERR_TLS_CERT_)/
