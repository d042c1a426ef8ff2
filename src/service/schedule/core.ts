import { conflictsAt, roomConflictsAt } from './conflicts.ts'
import { indexBusy } from './world.ts'
import { rulesOut } from './found.ts'
import type { Found } from './found.ts'
import type { Search, Steps } from './propose.ts'
import { gridOf, supposedFor, TIMES_PER_STEP, seriesOf } from './propose.ts'
import type { Room, Slot } from './world.ts'

/** A minimal set of reasons that together block every slot (deletion filter), or `window` if the window has no slots. */
export function* infeasibleCore(search: Search): Steps<string[]> {
  const reasons = yield* reasonsOf(search)
  if (reasons.length === 0) return ['window']
  let kept = [...new Set(reasons.flatMap((set) => [...set]))].toSorted(wishesLast)
  for (const name of kept) {
    yield
    const without = new Set(kept.filter((one) => one !== name))
    if (reasons.every((set) => [...set].some((one) => without.has(one)))) kept = [...without]
  }
  return kept
}

function wishesLast(left: string, right: string): number {
  const rank = (name: string): number => (name.startsWith('constraints.') ? 1 : 0)
  return rank(left) - rank(right) || (left < right ? -1 : 1)
}

function* reasonsOf(search: Search): Steps<ReadonlySet<string>[]> {
  const { world, wanted, rooms } = search
  const index = indexBusy(world.busy)
  const reasons: ReadonlySet<string>[] = []
  for (const one of search.clinicians) {
    const clinician = supposedFor(one, wanted)
    const series = seriesOf(world.zones, clinician.zone, wanted.minutes, search.rule, search.without)
    for (const [at, wall] of gridOf(search).entries()) {
      if (at % TIMES_PER_STEP === 0) yield
      const slots = series(wall)
      if (slots === null) {
        reasons.push(new Set(['request.rrule']))
        continue
      }
      const bare = firstReasons(slots, (slot) => conflictsAt(world, index, wanted, { clinician, room: null }, slot))
      const inRoom = (room: Room | null): ReadonlySet<string> =>
        (room && firstReasons(slots, (slot) => roomConflictsAt(world, index, wanted, room, slot))) ?? new Set(['series'])
      reasons.push(...(bare === null ? rooms.map(inRoom) : [bare]))
    }
  }
  return reasons
}

function firstReasons(slots: readonly Slot[], conflicts: (slot: Slot) => readonly Found[]): ReadonlySet<string> | null {
  for (const slot of slots) {
    const against = conflicts(slot).filter(rulesOut)
    if (against.length > 0) return new Set(against.map(({ by }) => by))
  }
  return null
}
