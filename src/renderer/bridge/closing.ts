import type { Bridge } from '#contract/bridge/methods.ts'

type Work = () => Promise<unknown>
const captures = new Set<Work>()
const edits = new Set<Work>()
/** A core that doesn't answer must not keep the records open. */
const MAX_SAVE_MS = 1000

/** Hands over sound before the app quits. @returns a function that takes it back */
export function beforeClosing(work: Work): () => void {
  captures.add(work)
  return () => void captures.delete(work)
}

/** Saves an edit before the records lock or the app quits. @returns a function that takes it back */
export function beforeLocking(work: Work): () => void {
  edits.add(work)
  return () => void edits.delete(work)
}

/** Before a lock: afterwards the core refuses to save. */
export async function saveEdits(): Promise<void> {
  // A field that is being edited takes its text when it loses the focus.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
  const late = new Promise((resolve) => setTimeout(resolve, MAX_SAVE_MS))
  await Promise.race([late, Promise.allSettled([...edits].map((work) => work()))])
}

/** Answers `app.closing` and `app.locking` once everything was handed over. */
export function followClosing(bridge: Bridge): void {
  bridge.on((name) => {
    if (name === 'app.closing') void handOver(bridge)
    if (name === 'app.locking') void saveEdits().then(() => bridge.call('app.handedOver', { before: 'locking' }))
  })
}

async function handOver(bridge: Bridge): Promise<void> {
  await Promise.all([saveEdits(), Promise.allSettled([...captures].map((work) => work()))])
  await bridge.call('app.handedOver', { before: 'closing' })
}
