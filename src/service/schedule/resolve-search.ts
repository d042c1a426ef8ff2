import { indexBusy } from './busy-index.ts'
import { conflictsAt } from './conflicts.ts'
import { rulesOut } from './found.ts'
import type { Search } from './propose.ts'
import { gridOf, supposedFor } from './propose.ts'
import type { Ground, Resolution } from './resolve.ts'
import { cheaper, costOf, groundOf, inTheWay, resolveAt } from './resolve.ts'
import type { Clinician, Slot } from './world.ts'
import { slotAt } from './world.ts'

interface Target {
  readonly clinician: Clinician
  readonly slot: Slot
}

/** Times looked at one after the other, those with the fewest in the way first. */
const mostTargets = 60

/** Room made for one appointment: at the time that was asked for, or at the cheapest of the window. */
export function resolve(search: Search, at: Target | null, maxMoves: number, most = 3): Resolution[] {
  const ground = groundOf(search)
  const found: Resolution[] = []
  for (const { clinician, slot } of at === null ? targets(ground, maxMoves) : [at]) {
    const last = found[most - 1]
    const resolution = resolveAt(ground, clinician, slot, maxMoves, last === undefined ? null : costOf(last.moves))
    if (resolution === null) continue
    found.push(resolution)
    found.sort(inOrder)
    found.length = Math.min(found.length, most)
  }
  return found
}

function inOrder(left: Resolution, right: Resolution): number {
  const [one, other] = [costOf(left.moves), costOf(right.moves)]
  if (cheaper(one, other)) return -1
  return cheaper(other, one) ? 1 : left.slot.start - right.slot.start
}

function targets({ search, index }: Ground, maxMoves: number): Target[] {
  const { world, wanted } = search
  const empty = indexBusy([])
  const possible = search.clinicians.flatMap((one) => {
    const clinician = supposedFor(one, wanted)
    return gridOf(search).flatMap((wall) => {
      const slot = slotAt(world.zones, clinician.zone, wall, wanted.minutes)
      if (conflictsAt(world, empty, wanted, { clinician, room: null }, slot).some(rulesOut)) return []
      const blockers = inTheWay(world, index, wanted, { clinician, room: null }, slot)
      return blockers === null || blockers.length > maxMoves ? [] : [{ clinician, slot, count: blockers.length }]
    })
  })
  return possible.toSorted((left, right) => left.count - right.count || left.slot.start - right.slot.start).slice(0, mostTargets)
}
