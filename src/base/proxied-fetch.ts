import http from 'node:http'
import type { Log } from './log.ts'
import type { ProxyFor } from './proxy.ts'

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<NonNullable<Parameters<Fetch>[1]>['dispatcher']>

/** Where the runtime keeps the dispatcher of its own fetch. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

/**
 * From now on every `fetch` of this thread goes through the proxy for its address, including the calls of libraries.
 *
 * @returns puts back the fetch from before
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
 * Node does not export the proxy agent that its fetch needs, and one from npm may not fit its version. Node makes one
 * when a proxy is set for everything, so it is set and reset. Null where this Node cannot (before 24.14).
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
