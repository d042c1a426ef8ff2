import type { Bridge } from '#contract/bridge/methods.ts'

type Work = () => Promise<unknown>
const works = new Set<Work>()

/** Runs before the app quits, which waits a few seconds for it. @returns a function that takes it back */
export function beforeClosing(work: Work): () => void {
  works.add(work)
  return () => void works.delete(work)
}

/** Answers `app.closing` once sound and edits have been handed over. */
export function followClosing(bridge: Bridge): void {
  bridge.on((name) => {
    if (name === 'app.closing') void handOver(bridge)
  })
}

async function handOver(bridge: Bridge): Promise<void> {
  // A field that is being edited takes its text when it loses the focus.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
  await Promise.allSettled([...works].map((work) => work()))
  await bridge.call('app.handedOver', {})
}
