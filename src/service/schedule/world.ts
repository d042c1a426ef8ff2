import type { SessionType } from '#contract/model/session.ts'
import type { Wall, Weekday } from './wall.ts'
import type { Zones } from './zone.ts'

/** An appointment. `start` and `end` are Unix milliseconds. */
export interface Busy {
  readonly id: string
  readonly client_ids: readonly string[]
  readonly clinician_id: string | null
  readonly room_id: string | null
  readonly start: number
  readonly end: number
  readonly shown: boolean
  readonly movable: boolean
}

export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface Hours {
  readonly id: string
  readonly zone: string
  readonly validFrom: Wall | null
  readonly validTo: Wall | null
  readonly days: Readonly<Partial<Record<Weekday, readonly Stretch[]>>>
  readonly mostPerDay: number | null
  readonly before: number
  readonly after: number
}

export const unlimitedHours = { validFrom: null, validTo: null, mostPerDay: null, before: 0, after: 0 } as const

export interface Away {
  readonly id: string
  readonly start: number
  readonly end: number
}

export interface Clinician {
  readonly id: string | null
  readonly zone: string
  readonly hours: readonly Hours[]
  readonly off: readonly Away[]
  readonly states: readonly string[] | null
}

export interface Room {
  readonly id: string
  readonly capacity: number
  readonly open: readonly Hours[]
  readonly closed: readonly Away[]
  readonly archived: boolean
}

export interface Authorization {
  readonly id: string
  /** Approved visits minus used ones; `Infinity` if unlimited. Future bookings are not subtracted. */
  readonly remaining: number
  covers(day: Wall): boolean
}

export interface ClientFacts {
  readonly id: string
  readonly state: string | null
  readonly insured: boolean
  readonly authorizations: readonly Authorization[]
  readonly lately: readonly number[]
}

export interface World {
  readonly now: number
  readonly zones: Zones
  readonly busy: readonly Busy[]
  readonly clinicians: readonly Clinician[]
  readonly rooms: readonly Room[]
  readonly clients: readonly ClientFacts[]
  readonly closures: readonly Away[]
}

export type Avoid =
  | { readonly kind: 'time'; readonly from: Wall; readonly to: Wall }
  | { readonly kind: 'weekly'; readonly day: Weekday | null; readonly stretch: Stretch }

export interface Wanted {
  readonly clients: readonly string[]
  readonly type: SessionType
  readonly minutes: number
  readonly modality: 'in_person' | 'video' | 'phone'
  readonly moving: string | null
  readonly before: number | null
  readonly after: number | null
  readonly earliest: number | null
  readonly latest: number | null
  readonly days: ReadonlySet<Weekday> | null
  readonly avoid: readonly Avoid[]
}

export interface Slot {
  readonly wall: Wall
  readonly start: number
  readonly end: number
  readonly flag: 'dst_gap' | 'dst_overlap' | null
}

export function slotAt(zones: Zones, zone: string, wall: Wall, minutes: number): Slot {
  const { instant, flag } = zones.resolve(zone, wall)
  return { wall, start: instant, end: instant + minutes * 60_000, flag }
}

export interface BusyIndex {
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
