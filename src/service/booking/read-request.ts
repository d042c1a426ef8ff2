import { invalidField } from '#service/kernel/problem.ts'
import type { ScheduleRequest } from '#contract/model/schedule.ts'
import { GRID_MINUTES } from '../schedule/propose.ts'
import { expand, isBounded, readRule, type Rule } from '../schedule/recurrence.ts'
import { both, readConstraints, readText, type ReadText } from '../schedule/read-text.ts'
import { DAY_MS, MINUTE_MS, readWall, type Wall } from '../schedule/wall.ts'
import type { Zones } from '../schedule/zone.ts'

export type Asked = ReturnType<typeof readRequest>

const longestWindow = 62 * DAY_MS
const usualWindow = 28 * DAY_MS

export function readRequest(body: ScheduleRequest, now: number, zones: Zones) {
  const { request, constraints } = body
  const text = body.text === undefined ? null : readText(body.text, zones.wallOf(request.tzid, now))
  requireNear(body, now)
  requireStartInWindow(body)
  const wishes = both(readConstraints(constraints), text?.wishes ?? readConstraints({}))
  const window = windowOf(body, text, now, zones)
  const startWall = request.start === undefined ? wordedStart(body, text, window, zones) : readWall(request.start)
  const start = startWall === null ? null : zones.resolve(request.tzid, startWall).instant
  const rule =
    request.rrule === undefined ? null : boundedRule(request.rrule, zones.wallOf(request.tzid, start ?? now), request.tzid, zones)
  const last = Math.max(window.to, start ?? 0)
  return {
    wanted: {
      ...wishes,
      clients: [...new Set(request.client_ids)],
      type: request.type,
      minutes: request.duration_minutes,
      modality: request.modality,
      moving: request.session_id ?? null,
    },
    rule,
    without: new Set(request.exdates.map(readWall)),
    preferences: body.preferences,
    window,
    start,
    startWall,
    reach: last + (rule === null ? DAY_MS : lengthOf(rule, last, request.tzid, zones)),
    text,
  }
}

function wordedStart(
  { mode, request }: ScheduleRequest,
  text: ReadText | null,
  window: ReturnType<typeof windowOf>,
  zones: Zones,
) {
  if (mode !== 'propose' || text === null || text.start === null) return null
  const { instant } = zones.resolve(request.tzid, text.start)
  return instant >= window.from && instant < window.to ? text.start : null
}

const farthest = 20 * 366 * DAY_MS

function requireNear({ request, window }: ScheduleRequest, now: number): void {
  const times = [
    ['/request/start', request.start],
    ['/window/from', window?.from],
    ['/window/to', window?.to],
  ] as const
  for (const [pointer, wall] of times)
    if (wall !== undefined && !(Math.abs(readWall(wall) - now) < farthest))
      throw invalidField(pointer, 'more than 20 years from now')
}

function requireStartInWindow({ mode, request: { start }, window }: ScheduleRequest): void {
  if (mode !== 'propose' || start === undefined || window === undefined) return
  const at = readWall(start)
  if (at < readWall(window.from) || at >= readWall(window.to)) throw invalidField('/request/start', 'outside of the window')
}

function boundedRule(text: string, start: Wall, zone: string, zones: Zones): Rule {
  const rule = readRule(text)
  if (!rule.keepsTime) throw invalidField('/request/rrule', 'a series is at one time of the day; another time is another series')
  if (isBounded(rule, rule.count === null ? expand(rule, start, zone, zones) : [])) return rule
  throw invalidField('/request/rrule', 'a series has an end: COUNT, or UNTIL, of at most 400 sessions')
}

function lengthOf(rule: Rule, start: number, zone: string, zones: Zones): number {
  if (rule.count === null) {
    const last = expand(rule, zones.wallOf(zone, start) - usualWindow, zone, zones).at(-1)!
    return Math.max(DAY_MS, last - start + 2 * DAY_MS)
  }
  const first = zones.wallOf(zone, start)
  return expand(rule, first, zone, zones).at(-1)! - first + 40 * DAY_MS
}

function windowOf(body: ScheduleRequest, text: ReadText | null, now: number, zones: Zones): { from: number; to: number } {
  const { tzid } = body.request
  const at = (wall: Wall): number => zones.resolve(tzid, wall).instant
  const given = body.window ?? null
  const soonest = soonestFor(body, now, zones)
  const worded = text?.window ?? null
  const from = Math.max(given === null ? soonest : at(readWall(given.from)), worded === null ? -Infinity : at(worded.from))
  const to = Math.min(
    given === null ? (worded === null ? soonest + usualWindow : Infinity) : at(readWall(given.to)),
    worded === null ? Infinity : at(worded.to),
  )
  if (given !== null && at(readWall(given.from)) >= at(readWall(given.to)))
    throw invalidField('/window/to', 'ends before it begins')
  if (to - from > longestWindow) throw invalidField('/window/to', 'more than 62 days')
  return { from, to: Math.max(from, to) }
}

function soonestFor({ mode, request: { start, tzid } }: ScheduleRequest, now: number, zones: Zones): number {
  const asked = mode === 'propose' && start !== undefined ? zones.resolve(tzid, readWall(start)).instant - usualWindow / 2 : now
  return Math.ceil(Math.max(now, asked) / (GRID_MINUTES * MINUTE_MS)) * GRID_MINUTES * MINUTE_MS
}
