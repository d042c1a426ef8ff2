import { unlessAborted } from '#client/patience.ts'

/**
 * Aborts remote requests and their response bodies when the vault closes, even if the caller passes no signal.
 *
 * @param closing its reason becomes the error
 */
export function untilClosed(fetch: typeof globalThis.fetch, closing: AbortSignal): typeof globalThis.fetch {
  return (asked, init) => {
    const given = init?.signal ?? (asked instanceof Request ? asked.signal : null)
    const signal = given === null ? closing : AbortSignal.any([given, closing])
    const asking = asked instanceof Request ? fetch(new Request(asked, { ...init, signal })) : fetch(asked, { ...init, signal })
    return unlessAborted(asking, signal, ({ body }) => void body?.cancel().catch(() => {}))
  }
}
