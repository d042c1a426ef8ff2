import type { BusyIndex } from './busy-index.ts'
import { clientsOf, conflictsAt } from './conflicts.ts'
import type { Place } from './conflicts.ts'
import type { Found } from './found.ts'
import { found, isHard } from './found.ts'
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
  const exhausted = clientsOf(world, wanted).flatMap((client) => beyondAuthorization(world, index, wanted, client, held))
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
function beyondAuthorization(world: World, index: BusyIndex, wanted: Wanted, client: ClientFacts, held: readonly Slot[]) {
  const used = new Map<string, number>()
  return held.flatMap((slot) => {
    const covering = client.authorizations.filter(({ start, end }) => start <= slot.start && slot.start < end)
    if (covering.length === 0) return []
    const open = covering.find((one) => {
      const booked = index
        .of('client', client.id, Math.max(world.now, one.start), one.end)
        .filter(({ id }) => id !== wanted.moving).length
      return booked + (used.get(one.id) ?? 0) < one.remaining
    })
    if (open === undefined) {
      const by = { kind: 'authorization', id: covering[0]!.id } as const
      return [{ slot, found: found('authorization_exhausted', `authorization:${by.id}`, by) }]
    }
    used.set(open.id, (used.get(open.id) ?? 0) + 1)
    return []
  })
}
