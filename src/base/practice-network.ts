import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import nodeTls from 'node:tls'
import { errorKind, type Log } from './log.ts'

/** The proxy for an address, e.g. `http://proxy.example:8080`; null to connect directly. */
export type ProxyFor = (address: URL) => Promise<string | null>

export interface ProxySources {
  /** HTTPS_PROXY, HTTP_PROXY, and NO_PROXY, upper or lower case. If either proxy is set, the system is not asked. */
  readonly environment?: NodeJS.ProcessEnv
  /** The system's proxy as a PAC string, e.g. `PROXY proxy.example:8080; DIRECT`. */
  readonly resolveProxy?: ((address: string) => Promise<string>) | undefined
  /** Milliseconds to wait for `resolveProxy`, so that an unreachable PAC script does not block calls. */
  readonly timeout?: number
}

/** Loopback addresses never use a proxy. If the system does not answer, calls connect directly. */
export function proxyRules({ environment = process.env, resolveProxy, timeout = 5000 }: ProxySources = {}): ProxyFor {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  return async (address) => {
    if (isLoopback(address)) return null
    const hasOwn = read('HTTPS_PROXY') !== '' || read('HTTP_PROXY') !== ''
    if (hasOwn) {
      const proxy = read(address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
      return proxy === '' || isExempt(address, read('NO_PROXY')) ? null : withScheme(proxy)
    }
    if (resolveProxy === undefined) return null
    return firstProxy(await answerWithin(resolveProxy(address.href), timeout))
  }
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/

export const isLoopback = ({ hostname }: URL): boolean => loopback.test(hostname)

/**
 * NO_PROXY entries are hosts, which include their subdomains, with an optional leading `.` or `*.` and an optional
 * port; `*` matches every host.
 */
function isExempt(address: URL, noProxy: string): boolean {
  const port = address.port === '' ? (address.protocol === 'https:' ? '443' : '80') : address.port
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, host = '', onlyPort] = /^(.+?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? []
      if (onlyPort !== undefined && onlyPort !== port) return false
      return address.hostname === host || address.hostname.endsWith(`.${host}`)
    })
}

function withScheme(proxy: string): string | null {
  const address = proxy.includes('://') ? proxy : `http://${proxy}`
  return /^https?:\/\/./.test(address) && URL.canParse(address) ? address : null
}

function firstProxy(answers: string): string | null {
  for (const answer of answers.split(';')) {
    const [kind = '', host = ''] = answer.trim().split(/\s+/)
    if (kind === 'DIRECT') return null
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind]
    const address = `${scheme}://${host}`
    if (scheme !== undefined && host !== '' && URL.canParse(address)) return address
  }
  return null
}

async function answerWithin(asked: Promise<string>, ms: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<string>((done) => (timer = setTimeout(() => done(''), ms)))
  try {
    return await Promise.race([asked.catch(() => ''), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<NonNullable<Parameters<Fetch>[1]>['dispatcher']>

const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

/**
 * Sends every `fetch` of this thread, including those of libraries, through the proxy for its address, or directly if
 * there is none or Node has no proxy agent.
 *
 * @returns a function that restores the previous fetch
 */
export function useProxies(proxyFor: ProxyFor, log: Log): () => void {
  const direct = globalThis.fetch
  const dispatchers = new Map<string, Dispatcher | null>()
  const dispatcherOf = (proxy: string): Dispatcher | null => {
    const known = dispatchers.get(proxy)
    if (known !== undefined) return known
    const made = makeDispatcher(proxy)
    if (made === null) log.warn('proxy.not-supported-by-runtime')
    dispatchers.set(proxy, made)
    return made
  }
  const proxied: Fetch = async (input, init) => {
    const address = URL.parse(input instanceof Request ? input.url : input.toString())
    const proxy = address === null ? null : await proxyFor(address)
    const dispatcher = proxy === null ? null : dispatcherOf(proxy)
    return dispatcher === null ? direct(input, init) : direct(input, { ...init, dispatcher })
  }
  globalThis.fetch = proxied
  return () => {
    globalThis.fetch = direct
  }
}

/**
 * Node does not export the proxy agent of its fetch, and one from npm may not fit Node's version. Node creates an agent
 * when a global proxy is set, so this function sets one, takes the agent, and restores the setting. Null before Node 24.14.
 */
function makeDispatcher(proxy: string): Dispatcher | null {
  if (typeof http.setGlobalProxyFromEnv !== 'function') return null
  const restore = http.setGlobalProxyFromEnv({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
  try {
    return (globalThis as { [dispatcherKey]?: Dispatcher })[dispatcherKey] ?? null
  } finally {
    restore()
  }
}

type Certificates = Pick<typeof nodeTls, 'getCACertificates' | 'setDefaultCACertificates'>

/**
 * Makes every connection of this thread also trust the system's certificates. A practice's proxy may inspect TLS with a
 * certificate that only the system knows.
 */
export function trustSystemCertificates(log: Log, tls: Certificates = nodeTls): void {
  try {
    const certificates = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    try {
      tls.setDefaultCACertificates(certificates)
    } catch {
      // Setting accepts either all certificates or none, and the system may hold a certificate that Node cannot parse.
      tls.setDefaultCACertificates(certificates.filter(isReadable))
    }
  } catch (error) {
    log.warn('certificates.system-not-trusted', { kind: errorKind(error) })
  }
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0
  } catch {
    return false
  }
}
