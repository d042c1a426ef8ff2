import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import nodeTls from 'node:tls'
import { attempt, within } from './control.ts'
import { errorKind, type Log } from './log.ts'

export type ProxyFor = (address: URL) => Promise<string | null>

export interface ProxySources {
  readonly environment?: NodeJS.ProcessEnv
  readonly resolveProxy?: ((address: string) => Promise<string>) | undefined
  readonly timeout?: number
}

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
    return firstProxy(
      await within(
        resolveProxy(address.href).catch(() => ''),
        timeout,
        () => '',
      ),
    )
  }
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/

export const isLoopback = ({ hostname }: URL): boolean => loopback.test(hostname)

/** Each NO_PROXY entry is `*` or a host, including its subdomains, with an optional leading `.` or `*.` and an optional port. */
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

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<NonNullable<Parameters<Fetch>[1]>['dispatcher']>

const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

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

/** Node does not export the proxy agent of its fetch, but `setGlobalProxyFromEnv`, which older versions lack, creates one. */
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

/** A practice's proxy may inspect TLS with a certificate that is only in the system's store. */
export function trustSystemCertificates(log: Log, tls: Certificates = nodeTls): void {
  try {
    const certificates = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    try {
      tls.setDefaultCACertificates(certificates)
    } catch {
      // If Node cannot parse one of the certificates, it accepts none of them.
      tls.setDefaultCACertificates(certificates.filter(isReadable))
    }
  } catch (error) {
    log.warn('certificates.system-not-trusted', { kind: errorKind(error) })
  }
}

const isReadable = (certificate: string): boolean => attempt(() => new X509Certificate(certificate).raw.length > 0) ?? false
