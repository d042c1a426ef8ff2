import http from 'node:http'
import type { Log } from './log.ts'
import type { ProxyFor } from './proxy.ts'

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<NonNullable<Parameters<Fetch>[1]>['dispatcher']>

const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

/**
 * Sends every `fetch` of this thread, including those of libraries, through the proxy for its address.
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
 * when a global proxy is set, so this sets one, takes the agent, and restores the setting. Null before Node 24.14.
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
