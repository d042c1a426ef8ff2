import { DAY_MS, exclusiveTimes, months, times, weekdays } from '../text/calendar.ts'
import { ordinals } from '../text/numbers.ts'
import { doubt, drop, notSaid } from './faults.ts'
import type { Claim, Scope, Fault, Room, Unit } from './types.ts'

const written = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${months.join('|')})|(${months.join('|')}) (\\d{1,2})(?:st|nd|rd|th)?)\\b`,
  'gi',
)
const FURTHEST_DAYS = 70

function datesIn(room: Room, text: string): { day: number; month: number; weekday: number }[] {
  const start = room.session === null ? Number.NaN : Date.parse(room.session.starts_at)
  if (Number.isNaN(start)) return []
  return [...text.matchAll(written)].flatMap((match) => {
    const day = Number(match[1] ?? match[4])
    const month = months.indexOf((match[2] ?? match[3] ?? '').toLowerCase())
    for (let ahead = 0; ahead <= FURTHEST_DAYS; ahead += 1) {
      const date = new Date(start + ahead * DAY_MS)
      if (date.getUTCDate() === day && date.getUTCMonth() === month) return [{ day, month, weekday: date.getUTCDay() }]
    }
    return []
  })
}

export const dateFollows = (room: Room, own: string, values: readonly number[]): boolean =>
  datesIn(room, own).some(
    ({ day, weekday }) => values.includes(day) && new RegExp(`\\b${weekdays[weekday] ?? ''}`, 'i').test(own),
  )

const timePatterns = times.map(([first = '', ...others]) => ({
  first,
  asked: first === 'may' ? /\bMay\b(?! (?:be|have|also|not))/ : new RegExp(`\\b${first}s?\\b`, 'i'),
  heard: new RegExp(`\\b(?:${[first, ...others].join('|')})s?\\b`, 'i'),
}))

export function dateFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const { near } = scope
  const text = near.map((unit) => unit.text.toLowerCase()).join(' ')
  const around = scope.around.map((unit) => unit.text.toLowerCase()).join(' ')
  const faults: Fault[] = []
  for (const { first, asked, heard } of timePatterns) {
    if (!asked.test(claim.own)) continue
    if (heard.test(text)) continue
    if (months.includes(first) && datesIn(room, claim.own).some(({ month }) => months[month] === first)) continue
    if (first === 'today' && isOfToday(claim.own)) continue
    if (!isHard(first) && !conflicting(first, `${text} `)) continue
    if (weekdays.includes(first) && weekdayFollows(room, claim.own, first)) continue
    faults.push((weekdays.includes(first) && !heard.test(around) ? drop : doubt)(notSaid(first)))
  }
  return [...faults, ...otherDay(claim, near), ...corrected(room, claim, near), ...onlyExpected(claim, near)]
}

const isHard = (word: string): boolean =>
  weekdays.includes(word) || months.includes(word) || /^(?:tomorrow|yesterday|christmas|easter)$/.test(word)

const conflicting = (word: string, text: string): boolean =>
  exclusiveTimes.some(
    (kind) => kind.includes(word) && kind.some((other) => other !== word && new RegExp(`\\b${other}s?\\b`, 'i').test(text)),
  )

const isOfToday = (own: string): boolean => /\b(?:session|today's|score|attended|seen|phq|gad|scale|presents?)\b/i.test(own)

const weekdayFollows = (room: Room, own: string, weekday: string): boolean =>
  datesIn(room, own).some((date) => weekdays[date.weekday] === weekday)

function dayOf(word: string): number {
  const lower = word.toLowerCase()
  const digits = Number(lower.replace(/\D/g, ''))
  if (digits > 0) return digits
  if (lower === 'thirtieth') return 30
  const [, ten, rest = lower] = /^(twenty|thirty)[- ](\w+)$/.exec(lower) ?? []
  return (ten === undefined ? 0 : ten === 'twenty' ? 20 : 30) + Math.max(0, ordinals.indexOf(rest))
}

/** "They gave us until September, I had expected June": June was only expected, so it is not a fact. */
function onlyExpected(claim: Claim, near: readonly Unit[]): Fault[] {
  const wishes = /\b(?:want(?:s|ed)?|expect(?:s|ed)?|hop(?:e|es|ed|ing)|fear(?:s|ed)?|would like|thought it)\b/i
  if (wishes.test(claim.own)) return []
  const said = near.flatMap(({ clauses }) => clauses)
  const own = months.filter((month) => month !== 'may' && claim.own.toLowerCase().includes(month))
  return own.some((month) => {
    const same = said.filter(({ tokens }) => tokens.some(({ word }) => word === month))
    const isOther = said.some(({ tokens }) =>
      tokens.some(({ word }) => months.includes(word) && word !== month && word !== 'may'),
    )
    return same.length > 0 && isOther && same.every(({ text }) => wishes.test(text))
  })
    ? [doubt('that month was expected or wished for, not so')]
    : []
}

function otherDay(claim: Claim, near: readonly Unit[]): Fault[] {
  const text = near.map((unit) => unit.text).join(' ')
  return [...claim.own.matchAll(written)].flatMap((match): Fault[] => {
    const day = Number(match[1] ?? match[4])
    const month = (match[2] ?? match[3] ?? '').toLowerCase()
    const days = new RegExp(
      `\\b((?:twenty|thirty)[- ]\\w+|\\w+) of ${month}\\b|\\b${month} (?:the )?((?:twenty|thirty)[- ]\\w+|\\w+)`,
      'gi',
    )
    const spoken = [...text.matchAll(days)].map((each) => dayOf(each[1] ?? each[2] ?? '')).filter((each) => each > 0)
    return spoken.length > 0 && !spoken.includes(day) ? [drop(`another day of ${month} was said`)] : []
  })
}

function corrected(room: Room, claim: Claim, near: readonly Unit[]): Fault[] {
  const own = claim.own.toLowerCase()
  const inOwn = weekdays.filter((day) => own.includes(day))
  if (inOwn.length === 0) return []
  const ordered = near.toSorted((left, right) => left.segment - right.segment || left.from - right.from)
  const daysOf = (segment: number): string[] =>
    weekdays.filter((day) => ordered.some((unit) => unit.segment === segment && unit.text.toLowerCase().includes(day)))
  const segments = [...new Set(ordered.map(({ segment }) => segment))].filter((segment) => daysOf(segment).length > 0)
  const last = segments.at(-1)
  if (last === undefined) return []
  const agreed = daysOf(last)
  const isReplaced =
    segments.length > 1 &&
    ordered.some((unit) => unit.segment === last && unit.person.role !== 'therapist') &&
    inOwn.some((day) => daysOf(last - 1).includes(day)) &&
    inOwn.some((day) => !agreed.includes(day)) &&
    !agreed.every((day) => inOwn.includes(day)) &&
    !(room.speakerAt(last - 1).role === 'therapist' && agreed.every((day) => daysOf(last - 1).includes(day))) &&
    ordered.some((unit) => unit.segment === last - 1 || unit.reply?.segment === last)
  const taken = inOwn.find((day) =>
    ordered.some((unit) =>
      new RegExp(
        `\\b${day}s?\\b[^.?!]{0,30}?[,.]? (?:no,|no wait|sorry,?|i mean,?|not ${day})[^.?!]{0,20}\\b(?:${weekdays.filter((other) => !inOwn.includes(other)).join('|')})`,
        'i',
      ).test(unit.text),
    ),
  )
  return isReplaced || taken !== undefined ? [doubt('the day was put right while they spoke')] : []
}
