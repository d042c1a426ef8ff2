import { worldRules, zonesBy } from '../schedule/zone.ts'

const dayMs = 24 * 60 * 60 * 1000
const zones = zonesBy(worldRules)

/** Days since 1970 that the zone's clocks show at an instant. */
export const dayIn =
  (zone: string) =>
  (instant: string): number => {
    const at = Date.parse(instant)
    return Math.floor((at + zones.offsetAt(zone, at)) / dayMs)
  }
