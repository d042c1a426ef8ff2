import type { AppState } from '#contract/bridge/app.ts'
import { useCall, call } from '#renderer/bridge/use-bridge.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ConsentPlaces } from '#renderer/strings/clients.ts'
import { placesOf } from './places.ts'
import { saveEdits } from '#renderer/bridge/closing.ts'

export function useAppState(): AppState | undefined {
  return useCall('app.state', {}).data
}

export const isMac = (): boolean => /mac/i.test(navigator.userAgent)

export function keysFor(keys: string): string {
  return isMac() ? keys.replace('Ctrl', 'Cmd') : keys
}

export function useSettings(): Settings | undefined {
  const phase = useAppState()?.phase
  return useCall('settings.get', {}, { enabled: phase === 'ready' }).data
}

/** Where records go, for the texts of consents. While records are being moved to a practice, sessions go there, too. */
export function usePlaces(settings: Settings | undefined): ConsentPlaces {
  const moving = useCall('moving.state', {}, { enabled: settings !== undefined }).data
  const isMoving = moving?.phase === 'sending' || moving?.phase === 'checked'
  const places = placesOf(settings)
  return { ...places, hasPractice: places.hasPractice || isMoving }
}

interface LockReason {
  readonly at: Date
  readonly idle_minutes: number | null
}

let last: LockReason | null = null

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
