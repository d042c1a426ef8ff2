import type { BusyIndex } from './busy-index.ts'
import { clientsOf, conflictsAt } from './conflicts.ts'
import type { Place } from './conflicts.ts'
import type { Found } from './found.ts'
import { found, isHard } from './found.ts'
import { dayOf } from './wall.ts'
import type { Wall } from './wall.ts'
import type { ClientFacts, Slot, Wanted, World } from './world.ts'

/** A time, or all the times of a series, with whatever speaks against each. */
export interface Assessed {
  readonly place: Place
  readonly slots: readonly Slot[]
  readonly conflicts: readonly { readonly slot: Slot; readonly found: Found }[]
  /** Times that cannot be. */
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

/** Sessions of a series that repeats faster than one takes. */
function withItself(slots: readonly Slot[], position: number): Found[] {
  const before = slots[position - 1]
  return before !== undefined && before.end > slots[position]!.start ? [found('clinician_double', 'series')] : []
}

/** Counted in order of time, with what is booked already. */
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
