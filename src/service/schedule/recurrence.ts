import { createRequire } from 'node:module'
import type * as Library from 'rrule-temporal'
import type { AppError } from '#contract/errors.ts'
import { invalidField } from '#service/kernel/problem.ts'
import { LAST_YEAR, sentDateSchema } from '#contract/model/common.ts'
import { Temporal } from 'temporal-polyfill/implementation'
import { DAY_MS, readWall, type Wall } from './wall.ts'
import type { Zones } from './zone.ts'

export const MAX_OCCURRENCES = 400

const effort = { maxIterations: 2000, maxCandidateEvaluations: 20_000 }

const upTo = (most: string, sign = ''): RegExp => new RegExp(`^${sign}(?:${most})(?:,${sign}(?:${most}))*$`)
const day = '[+-]?(?:[1-9]|[1-4]\\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)'
const yearDays = '[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|36[0-6]'

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

export interface Rule {
  readonly text: string
  readonly freq: string
  readonly count: number | null
  readonly until: string | null
  readonly keepsTime: boolean
}

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

/** Occurrences are computed in local time, so 15:00 stays 15:00 across daylight saving changes. */
export function expand(rule: Rule, start: Wall, zone: string, zones: Zones, most = MAX_OCCURRENCES): Wall[] {
  const walls = wallsOf(rule, start, zone, zones, most)
  if (walls === null || walls.length === 0) throw refused('/request/rrule')
  return walls
}

export function wallsOf(rule: Rule, start: Wall, zone: string, zones: Zones, most = MAX_OCCURRENCES): Wall[] | null {
  return wallsUntil(rule, start, lastOf(rule, zone, zones), most)
}

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
    // Errors of the library may quote the rule, so they are dropped.
    if (error instanceof Error) return null
    throw error
  }
}

export function lastOf({ until }: Rule, zone: string, zones: Zones): Wall {
  const wall = until === null ? null : untilOf(until)
  if (until === null || wall === null) return Infinity
  return until.endsWith('Z') ? zones.wallOf(zone, wall) : wall
}

export function isBounded(rule: Rule, walls: readonly Wall[]): boolean {
  if (rule.count !== null) return rule.count <= MAX_OCCURRENCES
  return rule.until !== null && walls.length < MAX_OCCURRENCES
}

/** An UNTIL without a time includes the whole day. Null if the date is not valid. */
function untilOf(until: string): Wall | null {
  const [, date = '', time] = /^(\d{8})(?:T(\d{6})Z?)?$/.exec(until) ?? []
  const written = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  if (!sentDateSchema.safeParse(written).success) return null
  const day = readWall(`${written}T00:00:00`)
  if (time === undefined) return day + DAY_MS - 1000
  return day + (Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + Number(time.slice(4))) * 1000
}

function refused(pointer: string): AppError {
  return invalidField(pointer, `not a recurrence rule of RFC 5545 that gives appointments up to the year ${LAST_YEAR}`)
}

/** A native Temporal is hidden from the library, so that Electron computes series exactly like Node. */
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
