import type { BusyIndex } from '../schedule/busy-index.ts'
import { indexBusy } from '../schedule/busy-index.ts'
import { conflictsAt } from '../schedule/conflicts.ts'
import { isHard } from '../schedule/found.ts'
import type { Search } from '../schedule/propose.ts'
import { standing } from '../schedule/resolve.ts'
import type { Busy } from '../schedule/world.ts'

/** Everybody's times once these have moved; null where one of them cannot be where it was to go. */
export function movedIndex(
  { world, wanted, clinicians }: Search,
  moves: readonly { id: string; to: string }[],
): BusyIndex | null {
  const busy = world.busy.map((one): Busy => {
    const move = moves.find(({ id }) => id === one.id)
    if (move === undefined) return one
    const start = Date.parse(move.to)
    return { ...one, start, end: start + (one.end - one.start) }
  })
  const index = indexBusy(busy)
  const fits = moves.every(({ id }) => {
    const moved = busy.find((one) => one.id === id)
    if (moved === undefined) return false
    const { place, as } = standing(world, clinicians[0]!, wanted, moved)
    const wall = world.zones.wallOf(place.clinician.zone, moved.start)
    const slot = { wall, start: moved.start, end: moved.end, flag: null }
    return !conflictsAt(world, index, as, place, slot).some(isHard)
  })
  return fits ? index : null
}
