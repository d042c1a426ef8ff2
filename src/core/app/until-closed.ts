import { unlessAborted } from '#client/patience.ts'

/**
 * Requests to what is elsewhere, for as long as the records are open: what is asked when they are closed ends there and
 * then, its answer with it, whether or not anybody gave the request a signal of its own.
 *
 * @param closing its reason is what they end with
 */
export function untilClosed(fetch: typeof globalThis.fetch, closing: AbortSignal): typeof globalThis.fetch {
  return (asked, init) => {
    const given = init?.signal ?? (asked instanceof Request ? asked.signal : null)
    const signal = given === null ? closing : AbortSignal.any([given, closing])
    const asking = asked instanceof Request ? fetch(new Request(asked, { ...init, signal })) : fetch(asked, { ...init, signal })
    return unlessAborted(asking, signal, ({ body }) => void body?.cancel().catch(() => {}))
  }
}
