import type { Assessed } from './assess.ts'
import type { BusyIndex } from './busy-index.ts'
import { clientsOf } from './conflicts.ts'
import type { Search } from './propose.ts'
import { dayMs, dayOf, minuteMs, minuteOfDay } from './wall.ts'
import type { Wall } from './wall.ts'

/** How much each counts against the others; 0 not at all. */
export interface Preferences {
  readonly same_time_each_week: number
  readonly keep_existing: number
  readonly min_gaps: number
}

/** How well a time serves each preference, from 0 to 1; null where it says nothing. */
export interface Measures {
  readonly same_time_each_week: number | null
  readonly keep_existing: number | null
  readonly min_gaps: number
  readonly soon: number
}

export interface Scored {
  readonly assessed: Assessed
  /** From 0 to 100. */
  readonly score: number
  readonly measures: Measures
}

/** Each soft conflict of another kind, and all of a series if none of it could be. */
const penalties = { conflict: 8, blocked: 60 }
/** A shorter pause than this serves nobody. */
const shortestUse = 45 * minuteMs
const weekMs = 7 * dayMs

export function scorer(search: Search, index: BusyIndex): (assessed: Assessed) => Scored {
  const { world, wanted, window, preferences } = search
  const moving = wanted.moving === null ? null : (world.busy.find(({ id }) => id === wanted.moving) ?? null)
  const lately = clientsOf(world, wanted)[0]?.lately ?? []

  return (assessed) => {
    const { clinician } = assessed.place
    const first = assessed.slots[0]!
    const usual = usualTime(lately.map((start) => world.zones.wallOf(clinician.zone, start)))
    const measures: Measures = {
      same_time_each_week: usual === null ? null : nearness(first.wall, usual),
      keep_existing: moving === null ? null : 1 - Math.min(1, Math.abs(first.start - moving.start) / weekMs),
      min_gaps: 1 - Math.min(1, lostTime(index, assessed, wanted.moving) / (2 * shortestUse)),
      soon: 1 - (first.wall - window.from) / Math.max(1, window.to - window.from),
    }
    const weighed = [
      [measures.same_time_each_week, preferences.same_time_each_week],
      [measures.keep_existing, preferences.keep_existing],
      [measures.min_gaps, preferences.min_gaps],
      [measures.soon, 1],
    ].filter((one): one is [number, number] => one[0] !== null)
    const weight = weighed.reduce((sum, [, part]) => sum + part, 0)
    const worth = (100 * weighed.reduce((sum, [value, part]) => sum + value * part, 0)) / weight
    const kinds = new Set(assessed.conflicts.filter(({ slot }) => !assessed.blocked.has(slot)).map(({ found }) => found.kind))
    const missing = (penalties.blocked * assessed.blocked.size) / assessed.slots.length
    const score = Math.max(0, Math.round((worth - kinds.size * penalties.conflict - missing) * 100) / 100)
    return { assessed, score, measures }
  }
}

/** Time of the week at which the client mostly came, as milliseconds into it; of two as frequent the later one. */
function usualTime(walls: readonly Wall[]): number | null {
  const counts = new Map<number, number>()
  for (const wall of walls) counts.set(ofWeek(wall), (counts.get(ofWeek(wall)) ?? 0) + 1)
  let best: number | null = null
  for (const [time, count] of counts) if (best === null || count > counts.get(best)!) best = time
  return best
}

const ofWeek = (wall: Wall): number => ((wall % weekMs) + weekMs) % weekMs

/** 1 at the same time of the same weekday, less each hour away from it, half at best on another day. */
function nearness(wall: Wall, usual: number): number {
  const minutes = Math.abs(minuteOfDay(wall) - minuteOfDay(usual))
  const sameDay = dayOf(ofWeek(wall)) === dayOf(usual)
  return Math.max(0, (sameDay ? 1 : 0.5) - minutes / (8 * 60))
}

/** Pauses it leaves that are too short for another session. */
function lostTime(index: BusyIndex, { place, slots }: Pick<Assessed, 'place' | 'slots'>, moving: string | null): number {
  const first = slots[0]!
  const near = (start: number, end: number) =>
    index.of('clinician', place.clinician.id, start, end).filter(({ id }) => id !== moving)
  const before = near(first.start - shortestUse, first.start).map(({ end }) => first.start - end)
  const after = near(first.end, first.end + shortestUse).map(({ start }) => start - first.end)
  return (
    (Math.max(0, Math.min(shortestUse, ...before)) % shortestUse) + (Math.max(0, Math.min(shortestUse, ...after)) % shortestUse)
  )
}
