import { conflictsAt, isHard, type Place, rulesOut } from './conflicts.ts'
import { gridOf, type Search, supposedFor } from './propose.ts'
import type { Busy, Clinician, Room, Slot, Wanted, World, BusyIndex } from './world.ts'
import { slotAt, compare, indexBusy } from './world.ts'

export interface Move {
  readonly busy: Busy
  readonly to: Slot
}

export interface Resolution {
  readonly slot: Slot
  readonly clinician: Clinician
  readonly room: Room | null
  readonly moves: readonly Move[]
}

export interface Cost {
  readonly moves: number
  readonly shift: number
}

export const costOf = (moves: readonly Move[]): Cost => ({
  moves: moves.length,
  shift: moves.reduce((sum, { busy, to }) => sum + Math.abs(to.start - busy.start), 0),
})

export const cheaper = (one: Cost, other: Cost): boolean =>
  one.moves < other.moves || (one.moves === other.moves && one.shift < other.shift)

const MAX_STEPS = 200_000

interface Ground {
  readonly search: Search
  readonly index: BusyIndex
  readonly grids: Map<string, readonly Slot[]>
  readonly steps: { left: number }
}

export const groundOf = (search: Search): Ground => ({
  search,
  index: indexBusy(search.world.busy),
  grids: new Map(),
  steps: { left: MAX_STEPS },
})

/** The cheapest moves found within `maxMoves` and the step limit; null if none is cheaper than `bound`. */
export function resolveAt(ground: Ground, clinician: Clinician, slot: Slot, maxMoves: number, bound: Cost | null = null) {
  let best: Resolution | null = null
  for (const room of ground.search.rooms) {
    const limit = best === null ? bound : costOf(best.moves)
    const moves = leastMoves({ ...ground, clinician, room, slot, maxMoves }, limit)
    if (moves !== null) best = { slot, clinician, room, moves }
    if (moves?.length === 0) break
  }
  return best
}

interface Quest extends Ground {
  readonly clinician: Clinician
  readonly room: Room | null
  readonly slot: Slot
  readonly maxMoves: number
}

function leastMoves(quest: Quest, bound: Cost | null): readonly Move[] | null {
  const { search, index, clinician, room, slot } = quest
  const blockers = inTheWay(search.world, index, search.wanted, { clinician, room }, slot)
  if (blockers === null) return null
  let least = bound
  let found: readonly Move[] | null = null
  visit([], blockers, [newcomer(search.wanted, clinician, room, slot)])
  return found

  function visit(moves: readonly Move[], waiting: readonly Busy[], settled: readonly Busy[]): void {
    const [next, ...others] = waiting
    if (next === undefined) {
      if (least !== null && !cheaper(costOf(moves), least)) return
      least = costOf(moves)
      found = moves
      return
    }
    if (moves.length + waiting.length > quest.maxMoves) return
    const gone = new Set([...moves.map(({ busy }) => busy.id), ...waiting.map(({ id }) => id)])
    for (const to of placesFor(quest, next)) {
      if ((quest.steps.left -= 1) < 0) return
      const cost = costOf([...moves, { busy: next, to }])
      if (least !== null && !cheaper({ moves: moves.length + waiting.length, shift: cost.shift }, least)) return
      const pushed = pushedBy(index, next, to, settled, gone)
      if (pushed === null) continue
      visit([...moves, { busy: next, to }], [...others, ...pushed], [...settled, { ...next, start: to.start, end: to.end }])
    }
  }
}

function pushedBy(index: BusyIndex, busy: Busy, to: Slot, settled: readonly Busy[], gone: ReadonlySet<string>) {
  if (settled.some((other) => clash(other, busy, to))) return null
  const met = [
    ...index.of('clinician', busy.clinician_id, to.start, to.end),
    ...(busy.room_id === null ? [] : index.of('room', busy.room_id, to.start, to.end)),
    ...busy.client_ids.flatMap((client) => index.of('client', client, to.start, to.end)),
  ]
  const pushed = new Map(met.filter(({ id }) => !gone.has(id)).map((other) => [other.id, other]))
  return [...pushed.values()].every(({ movable }) => movable) ? [...pushed.values()].toSorted(inTime) : null
}

const inTime = (left: Busy, right: Busy): number => left.start - right.start || compare(left.id, right.id)

const clash = (other: Busy, busy: Busy, { start, end }: Slot): boolean =>
  other.start < end &&
  other.end > start &&
  (other.clinician_id === busy.clinician_id ||
    (busy.room_id !== null && other.room_id === busy.room_id) ||
    other.client_ids.some((client) => busy.client_ids.includes(client)))

function placesFor({ search, grids }: Ground, busy: Busy): readonly Slot[] {
  const known = grids.get(busy.id)
  if (known) return known
  const { world, wanted } = search
  const { place, as } = standing(world, search.clinicians[0]!, wanted, busy)
  const empty = indexBusy([])
  const places = gridOf({ window: search.window, wanted: as })
    .map((wall) => slotAt(world.zones, place.clinician.zone, wall, as.minutes))
    .filter((slot) => slot.start !== busy.start && !conflictsAt(world, empty, as, place, slot).some(isHard))
    .toSorted((left, right) => distance(busy, left) - distance(busy, right) || left.start - right.start)
  grids.set(busy.id, places)
  return places
}

export function standing(world: World, other: Clinician, wanted: Wanted, busy: Busy): { place: Place; as: Wanted } {
  const clinician = supposedFor(world.clinicians.find(({ id }) => id === busy.clinician_id) ?? other, wanted)
  const room = world.rooms.find(({ id }) => id === busy.room_id) ?? null
  const minutes = (busy.end - busy.start) / 60_000
  const as: Wanted = { ...anyWish, clients: busy.client_ids, type: 'individual', minutes, modality: 'in_person', moving: busy.id }
  return { place: { clinician, room }, as }
}

const distance = (busy: Busy, slot: Slot): number => Math.abs(slot.start - busy.start)
const anyWish = { before: null, after: null, earliest: null, latest: null, days: null, avoid: [] }

function inTheWay(
  world: World,
  index: BusyIndex,
  wanted: Wanted,
  place: { clinician: Clinician; room: Room | null },
  slot: Slot,
): readonly Busy[] | null {
  const hard = conflictsAt(world, index, wanted, place, slot).filter(isHard)
  if (hard.some(({ busy }) => busy === null || !busy.movable)) return null
  const blockers = new Map(hard.flatMap(({ busy }) => (busy === null ? [] : [[busy.id, busy] as const])))
  return [...blockers.values()].toSorted(inTime)
}

function newcomer(wanted: Wanted, clinician: Clinician, room: Room | null, { start, end }: Slot): Busy {
  const who = { client_ids: wanted.clients, clinician_id: clinician.id, room_id: room?.id ?? null }
  return { id: 'new', ...who, start, end, shown: true, movable: false }
}

interface Target {
  readonly clinician: Clinician
  readonly slot: Slot
}

const MAX_TARGETS = 60

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
  return possible.toSorted((left, right) => left.count - right.count || left.slot.start - right.slot.start).slice(0, MAX_TARGETS)
}
