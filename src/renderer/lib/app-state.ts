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

/** Places that consent texts name. `hasPractice` is also true while a service migration sends records or awaits confirmation. */
export function usePlaces(settings: Settings | undefined): ConsentPlaces {
  const moving = useCall('moving.state', {}, { enabled: settings !== undefined }).data
  const isMoving = moving?.phase === 'sending' || moving?.phase === 'checked'
  const places = placesOf(settings)
  return { ...places, hasPractice: places.hasPractice || isMoving }
}

let last: { readonly at: Date; readonly idle_minutes: number | null } | null = null

/** The last lock by this window, or null. `idle_minutes` is null if the user locked the records. */
export const lastLock = () => last

export function lock(idle_minutes: number | null): void {
  last = { at: new Date(), idle_minutes }
  void saveEdits().then(() => call('vault.lock', {}))
}

export const lockByHand = (): void => lock(null)
