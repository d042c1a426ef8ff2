import type { Settings } from '#contract/bridge/settings.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import type { ConsentPlaces } from '#renderer/strings/consent-text.ts'
import { placesOf } from './places.ts'

/** Where records go, for words that somebody agrees to: on its way to a practice, what is said goes there too. */
export function usePlaces(settings: Settings | undefined): ConsentPlaces {
  const moving = useCall('moving.state', {}, { enabled: settings !== undefined }).data
  const isMoving = moving?.phase === 'sending' || moving?.phase === 'checked'
  const places = placesOf(settings)
  return { ...places, hasPractice: places.hasPractice || isMoving }
}
