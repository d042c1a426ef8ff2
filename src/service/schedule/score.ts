import { clientsOf, conflictsAt, type Found, found, isHard, type Place } from './conflicts.ts'
import type { ClientFacts, Slot, Wanted, World, BusyIndex } from './world.ts'
import type { Search } from './propose.ts'
import { DAY_MS, dayOf, MINUTE_MS, minuteOfDay, type Wall } from './wall.ts'

export interface Preferences {
  readonly same_time_each_week: number
  readonly keep_existing: number
  readonly min_gaps: number
}

export interface Measures {
  readonly same_time_each_week: number | null
  readonly keep_existing: number | null
  readonly min_gaps: number
  readonly soon: number
}

export interface Scored {
  readonly assessed: Assessed
  readonly score: number
  readonly measures: Measures
}

const penalties = { conflict: 8, blocked: 60 }
const shortestUse = 45 * MINUTE_MS
const weekMs = 7 * DAY_MS

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

/** The most frequent time, in milliseconds of a week that begins on Thursday, as the Unix epoch does. */
function usualTime(walls: readonly Wall[]): number | null {
  const counts = new Map<number, number>()
  for (const wall of walls) counts.set(ofWeek(wall), (counts.get(ofWeek(wall)) ?? 0) + 1)
  let best: number | null = null
  for (const [time, count] of counts) if (best === null || count > counts.get(best)!) best = time
  return best
}

const ofWeek = (wall: Wall): number => ((wall % weekMs) + weekMs) % weekMs

function nearness(wall: Wall, usual: number): number {
  const minutes = Math.abs(minuteOfDay(wall) - minuteOfDay(usual))
  const sameDay = dayOf(ofWeek(wall)) === dayOf(usual)
  return Math.max(0, (sameDay ? 1 : 0.5) - minutes / (8 * 60))
}

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

export interface Assessed {
  readonly place: Place
  readonly slots: readonly Slot[]
  readonly conflicts: readonly { readonly slot: Slot; readonly found: Found }[]
  readonly blocked: ReadonlySet<Slot>
}

export function assess(world: World, index: BusyIndex, wanted: Wanted, place: Place, slots: readonly Slot[]): Assessed {
  const conflicts = slots.flatMap((slot, position) =>
    [...conflictsAt(world, index, wanted, place, slot), ...withItself(slots, position)].map((one) => ({ slot, found: one })),
  )
  const blocked = new Set(conflicts.filter((one) => isHard(one.found)).map(({ slot }) => slot))
  const held = slots.filter((slot) => !blocked.has(slot))
  const exhausted = clientsOf(world, wanted).flatMap((client) => beyondAuthorization(world, index, wanted, place, client, held))
  const first = slots.find((slot) => blocked.has(slot))
  const isPartial = first !== undefined && blocked.size < slots.length
  return {
    place,
    slots,
    conflicts: [...conflicts, ...exhausted, ...(isPartial ? [{ slot: first, found: found('series_partial', 'series') }] : [])],
    blocked,
  }
}

function withItself(slots: readonly Slot[], position: number): Found[] {
  const before = slots[position - 1]
  return before !== undefined && before.end > slots[position]!.start ? [found('clinician_double', 'series')] : []
}

function beyondAuthorization(
  world: World,
  index: BusyIndex,
  wanted: Wanted,
  { clinician }: Place,
  { id, authorizations }: ClientFacts,
  held: readonly Slot[],
): { slot: Slot; found: Found }[] {
  if (authorizations.length === 0) return []
  const dayOfStart = (start: number): Wall => dayOf(world.zones.wallOf(clinician.zone, start))
  const ahead = index.of('client', id, world.now, Infinity).filter((busy) => busy.id !== wanted.moving)
  const used = new Map(authorizations.map((one) => [one.id, ahead.filter(({ start }) => one.covers(dayOfStart(start))).length]))
  return held.flatMap((slot) => {
    const covering = authorizations.filter((one) => one.covers(dayOf(slot.wall)))
    const open = covering.find((one) => used.get(one.id)! < one.remaining)
    if (open !== undefined) used.set(open.id, used.get(open.id)! + 1)
    if (open !== undefined || covering.length === 0) return []
    const other = { kind: 'authorization', id: covering[0]!.id } as const
    return [{ slot, found: found('authorization_exhausted', `authorization:${other.id}`, other) }]
  })
}
