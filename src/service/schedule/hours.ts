import { dayMs, dayOf, minuteOfDay, weekdayOf } from './wall.ts'
import type { Wall } from './wall.ts'
import type { Clinician, Hours, Slot, Stretch } from './world.ts'
import type { Zones } from './zone.ts'

/** Those that hold on a day, given by its first moment. */
export function hoursOn({ hours }: Pick<Clinician, 'hours'>, day: Wall): Hours[] {
  return hours.filter((one) => holdsOn(one, day))
}

const holdsOn = ({ validFrom, validTo }: Hours, day: Wall): boolean =>
  (validFrom === null || day >= validFrom) && (validTo === null || day <= validTo)

/** The whole of it lies in one stretch of work. */
export function isWithin(zones: Zones, hours: Hours, slot: Slot): boolean {
  const start = zones.wallOf(hours.zone, slot.start)
  const end = zones.wallOf(hours.zone, slot.end)
  const day = dayOf(start)
  if (!holdsOn(hours, day)) return false
  const to = minuteOfDay(start) + (end - start) / 60_000
  return stretchesOn(hours, day).some((stretch) => stretch.from <= minuteOfDay(start) && to <= stretch.to)
}

export const isWithinOpening = (zones: Zones, open: readonly Hours[], slot: Slot): boolean =>
  open.length === 0 || open.some((hours) => isWithin(zones, hours, slot))

const stretchesOn = (hours: Hours, day: Wall): readonly Stretch[] => hours.days[weekdayOf(day)] ?? []

/** Work as it is supposed where nobody said: Monday to Friday, and on the days and at the times that were asked for. */
export function supposedHours(
  zone: string,
  { earliest, latest, days }: { earliest: number | null; latest: number | null; days: ReadonlySet<string> | null },
): Hours {
  const evening = earliest !== null && earliest >= 16 * 60 ? 21 * 60 : 18 * 60
  const stretch = { from: Math.min(earliest ?? 8 * 60, 8 * 60), to: Math.max(latest ?? evening, evening) }
  const all = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
  const open = all.filter((day, index) => index < 5 || days?.has(day))
  return {
    id: supposed,
    zone,
    validFrom: null,
    validTo: null,
    days: Object.fromEntries(open.map((day) => [day, [stretch]])),
    mostPerDay: null,
    before: 0,
    after: 0,
  }
}

export const supposed = 'supposed'

export const daysBetween = (from: Wall, to: Wall): Wall[] => {
  const days: Wall[] = []
  for (let day = dayOf(from); day < to; day += dayMs) days.push(day)
  return days
}
