import type { AppState } from '#contract/bridge/app.ts'
import { useCall, call } from '#renderer/bridge/use-bridge.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ConsentPlaces } from '#renderer/strings/clients.ts'
import { placesOf } from './places.ts'
import { saveEdits } from '#renderer/bridge/closing.ts'

export const useAppState = (): AppState | undefined => useCall('app.state', {}).data

export const isMac = (): boolean => /mac/i.test(navigator.userAgent)

export const keysFor = (keys: string): string => (isMac() ? keys.replace('Ctrl', 'Cmd') : keys)

export function useSettings(): Settings | undefined {
  const phase = useAppState()?.phase
  return useCall('settings.get', {}, { enabled: phase === 'ready' }).data
}

/** Where records are stored, for consent texts. During a service migration, `hasPractice` is true. */
export function usePlaces(settings: Settings | undefined): ConsentPlaces {
  const moving = useCall('moving.state', {}, { enabled: settings !== undefined }).data
  const isMoving = moving?.phase === 'sending' || moving?.phase === 'checked'
  const places = placesOf(settings)
  return { ...places, hasPractice: places.hasPractice || isMoving }
}

let last: { readonly at: Date; readonly idle_minutes: number | null } | null = null

/** When this window locked the records, and after how many idle minutes; null minutes if the user locked them. */
export const lastLock = () => last

export function lock(idle_minutes: number | null): void {
  last = { at: new Date(), idle_minutes }
  void saveEdits().then(() => call('vault.lock', {}))
}

export const lockByHand = (): void => lock(null)
