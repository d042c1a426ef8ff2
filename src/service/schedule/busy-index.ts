import type { Busy } from './world.ts'

/** Who is busy when, found by time in a few steps. */
export interface BusyIndex {
  /** Those of one clinician, room or client that overlap the time. */
  of(kind: 'clinician' | 'room' | 'client', id: string | null, start: number, end: number): readonly Busy[]
}

export function indexBusy(all: readonly Busy[]): BusyIndex {
  const lists = new Map<string, Busy[]>()
  const longest = new Map<string, number>()
  function add(name: string, busy: Busy): void {
    const list = lists.get(name)
    if (list) list.push(busy)
    else lists.set(name, [busy])
    longest.set(name, Math.max(longest.get(name) ?? 0, busy.end - busy.start))
  }
  for (const busy of all.toSorted((left, right) => left.start - right.start || compare(left.id, right.id))) {
    add(`clinician ${busy.clinician_id}`, busy)
    if (busy.room_id !== null) add(`room ${busy.room_id}`, busy)
    for (const client of busy.client_ids) add(`client ${client}`, busy)
  }
  return {
    of: (kind, id, start, end) => {
      const name = `${kind} ${id}`
      const list = lists.get(name)
      if (list === undefined) return []
      const found: Busy[] = []
      for (let at = firstAfter(list, start - longest.get(name)!); at < list.length && list[at]!.start < end; at += 1) {
        if (list[at]!.end > start) found.push(list[at]!)
      }
      return found
    },
  }
}

export const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

function firstAfter(list: readonly Busy[], start: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}
