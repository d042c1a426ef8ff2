import { useSyncExternalStore } from 'react'
import type { Bridge } from '#contract/bridge/methods.ts'
import { addTo } from './listeners.ts'
import { createSocketBridge, windowKeyOf } from './socket-bridge.ts'

declare global {
  interface Window {
    readonly afterword?: Bridge
  }
}

/**
 * `gone`: Afterword seems to have exited; the connection was lost at `since`. `other`: another program answers at the address of
 * Afterword.
 */
export type LostServer = { readonly kind: 'gone'; readonly since: Date } | { readonly kind: 'other' }

let lost: LostServer | null = null
const listeners = new Set<() => void>()
const subscribe = addTo(listeners)

export const useLostServer = (): LostServer | null => useSyncExternalStore(subscribe, () => lost)

function set(next: LostServer | null): void {
  lost = next
  for (const listener of listeners) listener()
}

export const bridge: Bridge =
  window.afterword ??
  createSocketBridge({
    host: location.host,
    windowKey: windowKeyOf(document),
    onOtherServer: () => set({ kind: 'other' }),
    onGone(since) {
      if (lost?.kind !== 'other') set(since && { kind: 'gone', since })
    },
  })
