// Use the polyfill everywhere, because Electron has a native Temporal and Node 24 does not.
import { Temporal } from 'temporal-polyfill/implementation'
import { DAY_MS, MINUTE_MS, type Wall } from './wall.ts'

export interface Span {
  readonly at: number
  readonly offset: number
}

export interface ZoneRules {
  readonly version: string
  spans(zone: string, from: number, to: number): readonly Span[]
}

export interface Resolved {
  readonly instant: number
  /** `dst_gap`: daylight saving skips the local time. `dst_overlap`: the time occurs twice, and `instant` is the first. */
  readonly flag: 'dst_gap' | 'dst_overlap' | null
}

export interface Zones {
  readonly version: string
  resolve(zone: string, wall: Wall): Resolved
  wallOf(zone: string, instant: number): Wall
  offsetAt(zone: string, instant: number): number
}

export const worldRules: ZoneRules = {
  version: process.versions.tz ?? 'unknown',
  spans: (zone, from, to) => {
    let at = new Temporal.ZonedDateTime(BigInt(from) * 1_000_000n, zone)
    const spans = [{ at: from, offset: offsetOf(at) }]
    for (;;) {
      const next = at.getTimeZoneTransition('next')
      if (next === null || next.epochMilliseconds > to) return spans
      spans.push({ at: next.epochMilliseconds, offset: offsetOf(next) })
      at = next
    }
  },
}

const offsetOf = (time: { offsetNanoseconds: number }): number => Math.round(time.offsetNanoseconds / 1_000_000)

const blockMs = 4 * 366 * DAY_MS

export function zonesBy(rules: ZoneRules): Zones {
  const known = new Map<string, Map<number, readonly Span[]>>()
  let last = { zone: '', block: 0, spans: [] as readonly Span[] }

  function spansAround(zone: string, time: number): readonly Span[] {
    const block = Math.floor(time / blockMs)
    if (last.block === block && last.zone === zone) return last.spans
    const blocks = known.get(zone) ?? new Map<number, readonly Span[]>()
    // Two extra days on each side cover any UTC offset.
    const spans = blocks.get(block) ?? rules.spans(zone, block * blockMs - 2 * DAY_MS, (block + 1) * blockMs + 2 * DAY_MS)
    known.set(zone, blocks.set(block, spans))
    last = { zone, block, spans }
    return spans
  }

  function offsetAt(zone: string, instant: number): number {
    const spans = spansAround(zone, instant)
    let at = spans.length - 1
    while (at > 0 && spans[at]!.at > instant) at -= 1
    return spans[at]!.offset
  }

  return {
    version: rules.version,
    offsetAt,
    wallOf: (zone, instant) => instant + offsetAt(zone, instant),
    resolve: (zone, wall) => resolveIn(spansAround(zone, wall), wall),
  }
}

function resolveIn(spans: readonly Span[], wall: Wall): Resolved {
  let before = spans[0]!.offset
  let first: number | null = null
  for (let index = 0; index < spans.length; index += 1) {
    const { at, offset } = spans[index]!
    const instant = wall - offset
    if (instant >= (spans[index + 1]?.at ?? Infinity)) before = offset
    else if (instant >= at || index === 0) {
      if (first !== null) return { instant: first, flag: 'dst_overlap' }
      first = instant
    } else break
  }
  return first === null ? { instant: wall - before, flag: 'dst_gap' } : { instant: first, flag: null }
}

export function writeOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

export const worldZones = zonesBy(worldRules)
