import { formatsOf, systemLocale } from '#base/locale.ts'
import { dateOf, DAY_MS, dayOf, MINUTE_MS, weekdayOf, weekdays, readClock, readWall, writeWall } from './wall.ts'
import type { Wall, Weekday } from './wall.ts'
import { invalidField } from '#service/kernel/problem.ts'
import { wallTimeSchema } from '#contract/model/availability.ts'
import type { Avoid, Wanted } from './world.ts'

export type ReadText = ReturnType<typeof readText>

const inFull = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const dayName = String.raw`(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|satur|sat|sun)(?:days?)?`
const dayList = `${dayName}(?:(?:\\s*,\\s*(?:and |or )?|\\s+(?:and|or|nor)\\s+)${dayName})*`
const time = String.raw`(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?)?(?:\s*o'?clock)?`
const clockTime = String.raw`(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?)(?![a-z])`
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = String.raw`(${months.join('|')})[a-z]*\.?`
const limit = String.raw`(?:(until|till|by|before|after|from|since|between|to|not|except|never)(?: on)? )?(?:on )?`
const NOON = 12 * 60
const wholeDay = { from: 0, to: 24 * 60 }

interface Reading {
  earliest: number | null
  latest: number | null
  days: Set<Weekday> | null
  not: Set<Weekday>
  window: { from: Wall; to: Wall } | null
  at: number | null
  readonly notUnderstood: string[]
}

type Take = (reading: Reading, match: RegExpExecArray, today: Wall) => void

const rules: readonly (readonly [RegExp, Take])[] = [
  [
    new RegExp(String.raw`\b${limit}(\d{4})-(\d{2})-(\d{2})\b`),
    (to, [all, limited, year, month, day]) => onDate(to, all, limited, dateAt(year, month, day)),
  ],
  [
    new RegExp(String.raw`\b${limit}(\d{1,2})/(\d{1,2})/(\d{4})\b`),
    (to, [all, limited, month, day, year]) => onDate(to, all, limited, dateAt(year, month, day)),
  ],
  [
    new RegExp(String.raw`\b${limit}${monthName} (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?`),
    (to, [all, limited, name, day, year], today) => {
      const month = months.indexOf(name ?? '') + 1
      const inYear = (which: number | string): Wall | null => dateAt(which, month, day)
      const thisYear = new Date(today).getUTCFullYear()
      const soonest = (inYear(thisYear) ?? today) < today ? inYear(thisYear + 1) : inYear(thisYear)
      onDate(to, all, limited, year === undefined ? soonest : inYear(year))
    },
  ],
  [
    new RegExp(`\\bbetween ${time} and ${time}`),
    (to, [, h1, m1, x1, h2, m2, x2]) => {
      later(to, clockOf(h1, m1, x1 ?? (x2 !== undefined && Number(h1) < Number(h2) ? x2 : x1)))
      sooner(to, clockOf(h2, m2, x2))
    },
  ],
  [new RegExp(`\\b(?:not|no|nothing|never) (?:before|earlier than) ${time}`), (to, [, h, m, x]) => later(to, clockOf(h, m, x))],
  [new RegExp(`\\b(?:not|no|nothing|never) (?:after|later than) ${time}`), (to, [, h, m, x]) => sooner(to, clockOf(h, m, x))],
  [new RegExp(`\\b(?:after|from|earliest) ${time}`), (to, [, h, m, x]) => later(to, clockOf(h, m, x))],
  [new RegExp(`\\b(?:before|until|till|by|latest) ${time}`), (to, [, h, m, x]) => sooner(to, clockOf(h, m, x))],
  [new RegExp(`\\b(?:at|around|about) ${time}`), (to, [all, h, m, x]) => atTime(to, all, clockOf(h, m, x))],
  [new RegExp(`\\b${clockTime}`), (to, [all, h, m, x]) => atTime(to, all, clockOf(h, m, x))],
  [/\b(\d{1,2}):(\d{2})\b/, (to, [all, h, m]) => atTime(to, all, clockOf(h, m, undefined))],
  [
    new RegExp(`\\b(?:not|no|never|except|but not|anything but|any day but)(?: on| any)? (${dayList})`),
    (to, [, list]) => daysIn(list).forEach((day) => to.not.add(day)),
  ],
  [/\b(?:not|no|never|except|but not)(?: on| at)?(?: the)? weekends?\b/, (to) => (to.not.add('SA'), to.not.add('SU'))],
  [/\b(?:on )?(?:the )?weekends?\b/, (to) => add(to, ['SA', 'SU'])],
  [/\b(?:on )?(?:weekdays?|workdays?|working days?)\b/, (to) => add(to, weekdays.slice(0, 5))],
  [/\b(?:in |during )?(?:the )?(?:late )?mornings?\b/, (to) => sooner(to, NOON)],
  [/\b(?:in |during )?(?:the )?(?:early |late )?afternoons?\b/, (to) => (later(to, NOON), sooner(to, 17 * 60))],
  [/\b(?:in |during )?(?:the )?evenings?\b|\bafter work\b/, (to) => later(to, 17 * 60)],
  [/\bnext week\b/, (to, _, today) => (to.window = { from: mondayOf(today) + 7 * DAY_MS, to: mondayOf(today) + 14 * DAY_MS })],
  [/\bthis week\b/, (to, _, today) => (to.window = { from: today, to: mondayOf(today) + 7 * DAY_MS })],
  [
    /\bin (?:two|2) weeks\b/,
    (to, _, today) => (to.window = { from: mondayOf(today) + 14 * DAY_MS, to: mondayOf(today) + 21 * DAY_MS }),
  ],
  [/\btomorrow\b/, (to, _, today) => (to.window = { from: today + DAY_MS, to: today + 2 * DAY_MS })],
  [/\btoday\b/, (to, _, today) => (to.window = { from: today, to: today + DAY_MS })],
  [new RegExp(`\\b(?:on |any |every |next )*(${dayList})`), (to, [, list]) => add(to, daysIn(list))],
]

const filler =
  /\b(?:please|any ?time|anytime|any|some|at|on|in|the|a|an|and|or|but|only|preferably|ideally|best|is|are|fine|ok|okay|good|would|be|works?|for|me|us|we|i|can|could|come|free|available|session|appointment|o'?clock)\b/g

export function readText(text: string, now: Wall) {
  const to: Reading = { earliest: null, latest: null, days: null, not: new Set(), window: null, at: null, notUnderstood: [] }
  const plain = text.toLowerCase().replaceAll('’', "'").replaceAll('|', ' ').replaceAll(/\s+/g, ' ')
  let rest = plain.replaceAll(/\b(?:noon|midday)\b/g, '12:00').replaceAll(/(\d)t(\d{2}:\d{2})(?::\d{2})?\b/g, '$1 at $2')
  for (const [pattern, take] of rules) {
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      take(to, match, dayOf(now))
      rest = `${rest.slice(0, match.index)} | ${rest.slice(match.index + match[0].length)}`
    }
  }
  const days = to.days === null ? null : new Set([...to.days].filter((day) => !to.not.has(day)))
  const avoid = weekdays.filter((day) => to.not.has(day)).map((day) => ({ kind: 'weekly', day, stretch: wholeDay }) as const)
  const wishes = { before: null, after: null, earliest: to.earliest, latest: to.latest, days, avoid }
  const start = startOf(to, days, now)
  const unread = rest.split('|').filter((part) => /[\p{L}\d]/u.test(part.replaceAll(filler, ' ')))
  const notUnderstood = [...to.notUnderstood, ...unread].map((part) => part.trim())
  return { wishes, window: to.window, start, said: inWords(wishes, to, start), notUnderstood }
}

function dateAt(year: number | string | undefined, month: number | string | undefined, day: string | undefined): Wall | null {
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const wall = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(wall) && dateOf(wall) === date ? wall : null
}

function onDate(to: Reading, all: string, limited: string | undefined, day: Wall | null): void {
  if (day === null || limited !== undefined || to.window !== null) to.notUnderstood.push(all)
  else to.window = { from: day, to: day + DAY_MS }
}

function atTime(to: Reading, all: string, minute: number): void {
  if (to.at === null) to.at = minute
  else to.notUnderstood.push(all)
}

function startOf({ at, not, window }: Reading, days: ReadonlySet<Weekday> | null, now: Wall): Wall | null {
  if (at === null) return null
  const from = window?.from ?? dayOf(now)
  const to = window?.to ?? from + 21 * DAY_MS
  for (let day = from; day < to; day += DAY_MS) {
    const weekday = weekdayOf(day)
    const start = day + at * MINUTE_MS
    if (start > now && (days === null ? !not.has(weekday) : days.has(weekday))) return start
  }
  return null
}

const later = (to: Reading, minute: number): void => void (to.earliest = Math.max(to.earliest ?? 0, minute))
const sooner = (to: Reading, minute: number): void => void (to.latest = Math.min(to.latest ?? 24 * 60, minute))
const add = (to: Reading, days: readonly Weekday[]): void => void (to.days = new Set([...(to.days ?? []), ...days]))
const mondayOf = (day: Wall): Wall => day - weekdays.indexOf(weekdayOf(day)) * DAY_MS

function daysIn(list: string | undefined): Weekday[] {
  return [...(list ?? '').matchAll(new RegExp(dayName, 'g'))].flatMap(
    ([name]) => weekdays.find((day) => day === name.slice(0, 2).toUpperCase()) ?? [],
  )
}

function clockOf(hour: string | undefined, minute: string | undefined, half: string | undefined): number {
  const given = Number(hour) % 24
  const isAfternoon = half === undefined ? given >= 1 && given <= 6 : half.startsWith('p')
  return (
    ((isAfternoon && given < 12 ? given + 12 : half?.startsWith('a') && given === 12 ? 0 : given) * 60 + Number(minute ?? 0)) %
    (24 * 60)
  )
}

function inWords({ days, earliest, latest }: Wishes, { not, window }: Reading, start: Wall | null): string[] {
  const named = (some: ReadonlySet<Weekday>): string =>
    weekdays.flatMap((day, index) => (some.has(day) ? [inFull[index]!] : [])).join(', ')
  const formats = formatsOf(systemLocale(), 'UTC')
  const date = (wall: Wall): string => formats.weekdayAndDate(`${writeWall(wall)}Z`)
  const clock = (wall: Wall): string => formats.clock(`${writeWall(wall)}Z`)
  return [
    ...(days === null ? [] : [days.size === 0 ? 'Requested: no day of the week is left.' : `Requested: ${named(days)}.`]),
    ...(not.size === 0 ? [] : [`Requested: not on ${named(not)}.`]),
    ...(earliest === null ? [] : [`Requested: not before ${clock(earliest * MINUTE_MS)}.`]),
    ...(latest === null ? [] : [`Requested: over by ${clock(latest * MINUTE_MS)}.`]),
    ...(start === null ? [] : [`Requested: ${date(start)} at about ${clock(start)}.`]),
    ...(window === null ? [] : [`Requested: from ${date(window.from)} to ${date(window.to - DAY_MS)}.`]),
  ]
}

type Wishes = Pick<Wanted, 'before' | 'after' | 'earliest' | 'latest' | 'days' | 'avoid'>

interface Constraints {
  readonly buffer_before?: number | undefined
  readonly buffer_after?: number | undefined
  readonly earliest?: string | undefined
  readonly latest?: string | undefined
  readonly days?: readonly Weekday[] | undefined
  readonly avoid?: readonly string[] | undefined
}

export function readConstraints(constraints: Constraints): Wishes {
  return {
    before: constraints.buffer_before ?? null,
    after: constraints.buffer_after ?? null,
    earliest: constraints.earliest === undefined ? null : readClock(constraints.earliest),
    latest: constraints.latest === undefined ? null : readClock(constraints.latest),
    days: constraints.days === undefined ? null : new Set(constraints.days),
    avoid: (constraints.avoid ?? []).map(readAvoid),
  }
}

export function both(one: Wishes, other: Wishes): Wishes {
  return {
    before: highest(one.before, other.before),
    after: highest(one.after, other.after),
    earliest: highest(one.earliest, other.earliest),
    latest: one.latest === null || other.latest === null ? (one.latest ?? other.latest) : Math.min(one.latest, other.latest),
    days:
      one.days === null || other.days === null
        ? (one.days ?? other.days)
        : new Set([...one.days].filter((day) => other.days?.has(day))),
    avoid: [...one.avoid, ...other.avoid],
  }
}

const highest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

const clockPattern = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`

function timeIn(text: string): { from: Wall; to: Wall } | null {
  const [from = '', to] = text.includes('/') ? text.split('/') : [`${text}T00:00`]
  if (![from, to ?? from].every((wall) => wallTimeSchema.safeParse(wall).success)) return null
  return { from: readWall(from), to: to === undefined ? readWall(from) + DAY_MS : readWall(to) }
}

function readAvoid(text: string, index: number): Avoid {
  const time = timeIn(text)
  if (time !== null && time.from < time.to) return { kind: 'time', ...time }
  const [whole, weekday, begins, ends] =
    new RegExp(`^(${weekdays.join('|')})?(?:(?:^| )(${clockPattern})-(${clockPattern}))?$`).exec(text) ?? []
  const stretch = begins === undefined || ends === undefined ? wholeDay : { from: readClock(begins), to: readClock(ends) }
  if (!whole || stretch.from >= stretch.to)
    throw invalidField(`/constraints/avoid/${index}`, 'not a date, a time with an end, or a time of the week')
  return { kind: 'weekly', day: (weekday as Weekday | undefined) ?? null, stretch }
}
