import { bridgeEvents } from '#contract/bridge/events.ts'
import { addTo } from './listeners.ts'
import type { Bridge } from '#contract/bridge/methods.ts'

/** Sound is saved five times a second. After this long without saved sound, the window warns. */
export const UNSAVED_MS = 1500

/**
 * Whether sound from any window reaches the disk. `unknown`: no sound has been saved since the start or the last resume, but it
 * is too early to warn.
 */
export type Saving = { readonly kind: 'unknown' | 'saving' } | { readonly kind: 'silent'; readonly ms: number }

export interface SavingWatch {
  get(): Saving
  /** Must be called a few times a second, because missing sound causes no event. */
  look(): void
  subscribe(listener: () => void): () => void
}

export function createSavingWatch(bridge: Pick<Bridge, 'on'>, now: () => number): SavingWatch {
  const listeners = new Set<() => void>()
  let since = now()
  let hasSaved = false
  let followed = ''
  let saving: Saving = { kind: 'unknown' }

  function look(): void {
    const silence = now() - since
    const next: Saving =
      silence >= UNSAVED_MS ? { kind: 'silent', ms: Math.ceil(silence / 1000) * 1000 } : { kind: hasSaved ? 'saving' : 'unknown' }
    if (JSON.stringify(next) === JSON.stringify(saving)) return
    saving = next
    for (const listener of listeners) listener()
  }

  function begin(isSaved: boolean): void {
    since = now()
    hasSaved = isSaved
    look()
  }

  bridge.on((name, payload) => {
    if (name === 'recording.saved') begin(true)
    const changed = name === 'recording.changed' ? bridgeEvents[name].safeParse(payload) : null
    if (changed?.success !== true) return
    const { id, state } = changed.data
    if (`${id} ${state}` === followed) return
    followed = `${id} ${state}`
    if (state === 'recording') begin(false)
  })

  return { get: () => saving, look, subscribe: addTo(listeners) }
}
