import { useSyncExternalStore } from 'react'

let isOther = false
const listeners = new Set<() => void>()

/** Another program answers at this window's address and could not prove that it is Afterword. It stays that way. */
export function reportOtherServer(): void {
  isOther = true
  for (const listener of listeners) listener()
}

export function useOtherServer(): boolean {
  return useSyncExternalStore(subscribe, () => isOther)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
