import type { Rule } from './recurrence.ts'
import { lastOf, wallsUntil } from './recurrence.ts'
import { dayOf } from './wall.ts'
import type { Wall } from './wall.ts'
import type { Slot } from './world.ts'
import { slotAt } from './world.ts'
import type { Zones } from './zone.ts'

/** When a series with this first session takes place; null where the rule does not begin with it. */
export type Series = (first: Wall) => readonly Slot[] | null

/** Rules that leave the time of day alone are worked out once a day, for all times of it. */
export function seriesOf(
  zones: Zones,
  zone: string,
  minutes: number,
  rule: Rule | null,
  without: ReadonlySet<Wall> = new Set(),
): Series {
  const byDay = new Map<Wall, readonly Wall[]>()
  const last = rule === null ? Infinity : lastOf(rule, zone, zones)
  return (first) => {
    if (rule === null) return [slotAt(zones, zone, first, minutes)]
    const walls = onDaysOf(rule, first).filter((wall) => wall <= last)
    if (walls[0] !== first || without.has(first)) return null
    return walls.filter((wall) => !without.has(wall)).map((wall) => slotAt(zones, zone, wall, minutes))
  }

  function onDaysOf(given: Rule, first: Wall): readonly Wall[] {
    if (!given.keepsTime) return wallsUntil(given, first, last) ?? []
    const day = dayOf(first)
    const days = byDay.get(day) ?? wallsUntil(given, day, last) ?? []
    byDay.set(day, days)
    return days.map((wall) => wall + (first - day))
  }
}
