import { saveEdits } from '#renderer/bridge/closing.ts'
import { call } from '#renderer/bridge/use-bridge.ts'

export interface LockReason {
  readonly at: Date
  /** Null: locked by hand or by the system. */
  readonly idle_minutes: number | null
}

let last: LockReason | null = null

/** What this window knows of the last lock; null after a new start. */
export const lastLock = (): LockReason | null => last

export function rememberLock(reason: LockReason): void {
  last = reason
}

export function lockByHand(): void {
  rememberLock({ at: new Date(), idle_minutes: null })
  lock()
}

export function lock(): void {
  void saveEdits().then(() => call('vault.lock', {}))
}
