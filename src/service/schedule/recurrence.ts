import { createRequire } from 'node:module'
import type * as Library from 'rrule-temporal'
import { AppError } from '#contract/errors.ts'
import { LAST_YEAR, sentDateSchema } from '#contract/model/common.ts'
import { Temporal } from './temporal.ts'
import { DAY_MS, readWall, type Wall } from './wall.ts'
import type { Zones } from './zone.ts'

/** More sessions than this in one series is a mistake or an attack. */
export const MAX_OCCURRENCES = 400

/** What a rule may cost before it is refused: about a tenth of a second. */
const effort = { maxIterations: 2000, maxCandidateEvaluations: 20_000 }

const upTo = (most: string, sign = ''): RegExp => new RegExp(`^${sign}(?:${most})(?:,${sign}(?:${most}))*$`)
const day = '[+-]?(?:[1-9]|[1-4]\\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)'
const yearDays = '[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|36[0-6]'

/** What each part may hold. */
const parts: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  COUNT: /^[1-9]\d{0,5}$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  BYSECOND: upTo('[0-5]?\\d'),
  BYMINUTE: upTo('[0-5]?\\d'),
  BYHOUR: upTo('[01]?\\d|2[0-3]'),
  BYDAY: upTo(day),
  BYMONTHDAY: upTo('[1-9]|[12]\\d|3[01]', '[+-]?'),
  BYYEARDAY: upTo(yearDays, '[+-]?'),
  BYWEEKNO: upTo('[1-9]|[1-4]\\d|5[0-3]', '[+-]?'),
  BYMONTH: upTo('[1-9]|1[0-2]'),
  BYSETPOS: upTo(yearDays, '[+-]?'),
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
}

/** A recurrence rule of RFC 5545, 3.3.10, taken apart as far as we must know it. */
export interface Rule {
  /** Without UNTIL. */
  readonly text: string
  readonly freq: string
  readonly count: number | null
  /** Its own notation: a date, a wall time, or UTC with `Z`. */
  readonly until: string | null
  /** The rule leaves the time of day to the first occurrence. */
  readonly keepsTime: boolean
}

/** @throws AppError `validation-failed` where it is no rule of RFC 5545 */
export function readRule(text: string, pointer = '/request/rrule'): Rule {
  const given = new Map<string, string>()
  for (const part of text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')) {
    const [name = '', value = '', ...rest] = part.split('=')
    if (rest.length > 0 || given.has(name) || !Object.hasOwn(parts, name) || !parts[name]!.test(value)) throw refused(pointer)
    given.set(name, value)
  }
  const freq = given.get('FREQ')
  const until = given.get('UNTIL') ?? null
  const count = given.get('COUNT') ?? null
  if (freq === undefined || (until !== null && count !== null)) throw refused(pointer)
  if (until !== null && untilOf(until) === null) throw refused(pointer)
  given.delete('UNTIL')
  return {
    text: [...given].map(([name, value]) => `${name}=${value}`).join(';'),
    freq,
    count: count === null ? null : Number(count),
    until,
    keepsTime: !/^(HOURLY|MINUTELY|SECONDLY)$/.test(freq) && !['BYHOUR', 'BYMINUTE', 'BYSECOND'].some((name) => given.has(name)),
  }
}

/**
 * The walls on which a series takes place, at most `most` of them: computed on the wall's own clock, so that a slot at
 * 15:00 stays at 15:00 over every change of the clocks.
 *
 * @throws AppError `validation-failed` for a rule that gives nothing, or nothing within reason
 */
export function expand(rule: Rule, start: Wall, zone: string, zones: Zones, most = MAX_OCCURRENCES): Wall[] {
  const walls = wallsOf(rule, start, zone, zones, most)
  if (walls === null || walls.length === 0) throw refused('/request/rrule')
  return walls
}

/** The same; null where it would take too long to find out. */
export function wallsOf(rule: Rule, start: Wall, zone: string, zones: Zones, most = MAX_OCCURRENCES): Wall[] | null {
  return wallsUntil(rule, start, lastOf(rule, zone, zones), most)
}

/** Without regard to the rule's own UNTIL; null also where it goes on beyond the last year of the calendar. */
export function wallsUntil(rule: Rule, start: Wall, last: Wall, most = MAX_OCCURRENCES): Wall[] | null {
  const walls: Wall[] = []
  try {
    const dtstart = new Temporal.ZonedDateTime(BigInt(start) * 1_000_000n, 'UTC')
    new RRuleTemporal({ rruleString: rule.text, dtstart, cache: false, ...effort }).all((date) => {
      if (date.epochMilliseconds > last) return false
      if (date.year > LAST_YEAR) throw new RangeError('beyond the calendar')
      walls.push(date.epochMilliseconds)
      return walls.length < most
    })
    return walls
  } catch (error) {
    // The library throws plain errors, some of which say the rule; nothing of it leaves here.
    if (error instanceof Error) return null
    throw error
  }
}

/** The last wall that UNTIL allows. */
export function lastOf({ until }: Rule, zone: string, zones: Zones): Wall {
  const wall = until === null ? null : untilOf(until)
  if (until === null || wall === null) return Infinity
  return until.endsWith('Z') ? zones.wallOf(zone, wall) : wall
}

/** True where the rule ends by itself within what a series may hold. */
export function isBounded(rule: Rule, walls: readonly Wall[]): boolean {
  if (rule.count !== null) return rule.count <= MAX_OCCURRENCES
  return rule.until !== null && walls.length < MAX_OCCURRENCES
}

/** RFC 5545: a date means all of that day. Null where it is no day. */
function untilOf(until: string): Wall | null {
  const [, date = '', time] = /^(\d{8})(?:T(\d{6})Z?)?$/.exec(until) ?? []
  const written = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  if (!sentDateSchema.safeParse(written).success) return null
  const day = readWall(`${written}T00:00:00`)
  if (time === undefined) return day + DAY_MS - 1000
  return day + (Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + Number(time.slice(4))) * 1000
}

function refused(pointer: string): AppError {
  return new AppError('validation-failed', undefined, [
    {
      pointer,
      code: 'invalid_value',
      message: `not a recurrence rule of RFC 5545 that gives appointments up to the year ${LAST_YEAR}`,
    },
  ])
}

/**
 * The library prefers the runtime's Temporal over the one it brings along. It looks once, as it is loaded, so it is
 * loaded while there is none: Electron then computes series as Node does in the tests.
 */
function loadWithoutNativeTemporal(): typeof Library {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'Temporal')
  Reflect.deleteProperty(globalThis, 'Temporal')
  try {
    return createRequire(import.meta.url)('rrule-temporal') as typeof Library
  } finally {
    if (native !== undefined) Object.defineProperty(globalThis, 'Temporal', native)
  }
}

const { RRuleTemporal } = loadWithoutNativeTemporal()
