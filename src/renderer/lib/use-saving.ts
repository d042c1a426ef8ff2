import { useSyncExternalStore } from 'react'
import { bridge } from '#renderer/bridge/bridge.ts'
import { createSavingWatch, type Saving } from '#renderer/bridge/saving-watch.ts'

const LOOK_MS = 250

/** One per window, from its first moment: what is shown first knows what was heard before. */
const watch = createSavingWatch(bridge, () => performance.now())

function subscribe(listener: () => void): () => void {
  const forget = watch.subscribe(listener)
  const timer = setInterval(watch.look, LOOK_MS)
  return () => {
    clearInterval(timer)
    forget()
  }
}

export const useSaving = (): Saving => useSyncExternalStore(subscribe, watch.get)
