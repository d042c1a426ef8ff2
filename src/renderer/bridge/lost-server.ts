import { useSyncExternalStore } from 'react'

/** `gone`: Afterword has exited; `since` is the time of its last response. `other`: another program answers here. */
export type LostServer = { readonly kind: 'gone'; readonly since: Date } | { readonly kind: 'other' }

let lost: LostServer | null = null
const listeners = new Set<() => void>()

export function reportOtherServer(): void {
  set({ kind: 'other' })
}

/** @param since the time of the last response, or null once the server answers again */
export function reportGone(since: Date | null): void {
  if (lost?.kind !== 'other') set(since && { kind: 'gone', since })
}

export function useLostServer(): LostServer | null {
  return useSyncExternalStore(subscribe, () => lost)
}

function set(next: LostServer | null): void {
  lost = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
