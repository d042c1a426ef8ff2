import { addTo } from './listeners.ts'
import type { Bridge } from '#contract/bridge/methods.ts'

type Work = () => Promise<unknown>
const captures = new Set<Work>()
const edits = new Set<Work>()
const boxes = new Set<() => HTMLElement | null>()
/** Time limit for saving edits, because an unresponsive core must not delay the lock. */
const MAX_SAVE_MS = 1000

/** Registers a function that stores captured sound before the app quits. Returns a function that unregisters it. */
export const beforeClosing = addTo(captures)

/** Registers a function that saves an edit before the records lock or the app quits. Returns a function that unregisters it. */
export const beforeLocking = addTo(edits)

/**
 * Registers a function that keeps what is typed in an open box. It returns the element to finish first, or null. Returns a
 * function that unregisters it.
 */
export const beforeSaving = addTo(boxes)

/** Keeps what is typed in open boxes. Returns an element that must be finished first, or null. */
export const closeBoxes = (): HTMLElement | null => [...boxes].map((close) => close()).find((left) => left !== null) ?? null

/** Call this before locking, because the core rejects changes afterward. */
export async function saveEdits(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  closeBoxes()
  await new Promise((resolve) => setTimeout(resolve))
  const late = new Promise((resolve) => setTimeout(resolve, MAX_SAVE_MS))
  await Promise.race([late, Promise.allSettled([...edits].map((work) => work()))])
}

export function followClosing(bridge: Bridge): void {
  bridge.on((name) => {
    if (name === 'app.closing')
      void Promise.all([saveEdits(), Promise.allSettled([...captures].map((work) => work()))]).then(() =>
        bridge.call('app.handedOver', { before: 'closing' }),
      )
    if (name === 'app.locking') void saveEdits().then(() => bridge.call('app.handedOver', { before: 'locking' }))
  })
}
