import { useSyncExternalStore } from 'react'

/** `gone`: Afterword has ended; it answered last at `since`. `other`: another program answers at this window's address. */
export type LostServer = { readonly kind: 'gone'; readonly since: Date } | { readonly kind: 'other' }

let lost: LostServer | null = null
const listeners = new Set<() => void>()

/** Another program answers here and could not prove that it is Afterword. It stays that way. */
export function reportOtherServer(): void {
  set({ kind: 'other' })
}

/** @param since when it answered last; null: it answers again */
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
