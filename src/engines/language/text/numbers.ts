import { piecesOf, wordsOf } from './words.ts'
import numbers from './numbers.json' with { type: 'json' }

export const ordinals = numbers.ordinals.split(' ')
const tens = new Map(Object.entries(numbers.tens))
const wordValues = new Map<string, number>([
  ...numbers.small.split(' ').map((word, value) => [word, value] as const),
  ...tens,
  ...ordinals.map((word, value) => [word, value] as const),
  ...Object.entries(numbers.others),
])
const units = new Map(
  Object.entries(numbers.units).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
)

/** A number as written or spoken, with its alternatives ("half an hour": 0.5 and 30). */
export interface Numeral {
  readonly values: readonly number[]
  readonly from: number
  readonly to: number
  /** True for "one", "first", "second", "third", and "once", which are often figures of speech. */
  readonly isWeak: boolean
  readonly unit: string | null
}

const weak = new Set('one first second once third'.split(' '))

export const timeUnit = /^(?:minute|hour|day|week|month|year|night|morning|evening|afternoon|time|fortnight|ago|today|tonight)s?$/

export function numeralsIn(words: readonly string[]): Numeral[] {
  const found: Numeral[] = []
  for (let at = 0; at < words.length;) {
    const numeral = phraseAt(words, at) ?? digitsAt(words, at) ?? spokenAt(words, at)
    if (numeral === null) at += 1
    else {
      const said = words.slice(numeral.from, numeral.to).join(' ')
      found.push({
        ...numeral,
        isWeak: weak.has(said),
        unit: unitAfter(words, numeral.to) ?? (/^(?:at|until|till|by)$/.test(words[numeral.from - 1] ?? '') ? 'clock' : null),
      })
      at = numeral.to
    }
  }
  return found
}

type Bare = Pick<Numeral, 'values' | 'from' | 'to'>

const phrases = Object.entries(numbers.phrases)
const opensPhrase = new Set([...phrases.map(([phrase]) => phrase.replace(/ .*/, '')), 'couple'])
const couple =
  /^(?:a )?couple(?= (?:of )?(?:\w+ )?(?:hour|minute|day|week|month|year|time|beer|drink|glass|can|cup|pint|tablet|thing|friend|night|coffee|cigarette)s\b)/

function phraseAt(words: readonly string[], at: number): Bare | null {
  if (!opensPhrase.has(words[at] ?? '')) return null
  const ahead = words.slice(at, at + 6).join(' ')
  const past = /^half past (\w+)/.exec(ahead)
  const hour = past ? (wordValues.get(past[1] ?? '') ?? Number(past[1])) : Number.NaN
  if (Number.isFinite(hour)) return { values: [hour + 0.3], from: at, to: at + 3 }
  const quarter = /^quarter (past|to) (\w+)/.exec(ahead)
  const quarterHour = quarter ? (wordValues.get(quarter[2] ?? '') ?? Number(quarter[2])) : Number.NaN
  if (Number.isFinite(quarterHour))
    return { values: [quarter?.[1] === 'past' ? quarterHour + 0.15 : quarterHour - 1 + 0.45], from: at, to: at + 3 }
  const pair = couple.exec(ahead)?.[0]
  const [phrase, values] = pair === undefined ? (phrases.find(([each]) => `${ahead} `.startsWith(`${each} `)) ?? []) : [pair, [2]]
  return phrase === undefined || values === undefined ? null : { values, from: at, to: at + phrase.split(' ').length }
}

function digitsAt(words: readonly string[], at: number): Bare | null {
  const word = words[at] ?? ''
  const clock = /^(\d{1,2})[:.](\d{2})(?:am|pm)?$/.exec(word)
  if (clock)
    return {
      values: [Number(clock[1]) + Number(clock[2]) / 100, ...(clock[2] === '00' ? [Number(clock[1])] : [])],
      from: at,
      to: at + 1,
    }
  const digits = /^(\d[\d,]*(?:\.\d+)?)(?:%|st|nd|rd|th|mg|kg|mcg|g|ml|am|pm|h|ish|s|x)?$/.exec(word)
  return digits ? { values: [Number((digits[1] ?? '').replaceAll(',', ''))], from: at, to: at + 1 } : null
}

function spokenAt(words: readonly string[], at: number): Bare | null {
  const valueOf = (place: number): number => wordValues.get((words[place] ?? '').replace(/ish$/, '')) ?? Number.NaN
  const first = words[at] === 'a' && /^(?:hundred|thousand)$/.test(words[at + 1] ?? '') ? 1 : valueOf(at)
  if (Number.isNaN(first)) return null
  const next = valueOf(at + 1)
  const isDigit = next >= 1 && next < 10
  if (first >= 1 && first < 10 && isDigit && isHundreds(words, at))
    return { values: [first * 1000 + next * 100, first, next], from: at, to: at + 2 }
  if (first >= 1 && first < 20 && next >= 10 && next < 100 && !ordinals.includes(words[at + 1] ?? '')) {
    const after = valueOf(at + 2)
    const low = next >= 20 && after < 10 ? next + after : next
    return { values: [first * 100 + low, first + low / 100, first, next], from: at, to: at + (low === next ? 2 : 3) }
  }
  const isJoined = first >= 20 && first < 100 && isDigit
  let total = isJoined ? first + next : first
  let place = at + (isJoined ? 2 : 1)
  while (/^(?:hundred|thousand)$/.test(words[place] ?? '')) {
    total *= words[place] === 'hundred' ? 100 : 1000
    place += 1
    const rest = restAt(words, words[place] === 'and' ? place + 1 : place)
    if (rest === null) continue
    total += rest.value
    place = rest.to
  }
  const tenths = words[place] === 'point' ? valueOf(place + 1) : Number.NaN
  return Number.isNaN(tenths)
    ? { values: [total], from: at, to: place }
    : { values: [total + tenths / 10], from: at, to: place + 2 }
}

/** About money, "four eight" in "It was four eight in November" can mean 4,800. */
const isHundreds = (words: readonly string[], at: number): boolean =>
  /^(?:was|is|at|to|from|about|nearly|owe|owed|paid)$/.test(words[at - 1] ?? '') &&
  /^(?:in|last|now|then|before|by|a|)$/.test(words[at + 2] ?? '')

function restAt(words: readonly string[], at: number): { value: number; to: number } | null {
  const first = spokenBelowHundred(words, at)
  if (first === null || words[first.to] !== 'hundred') return first
  const joined = words[first.to + 1] === 'and' ? first.to + 2 : first.to + 1
  const last = spokenBelowHundred(words, joined)
  return { value: first.value * 100 + (last?.value ?? 0), to: last?.to ?? first.to + 1 }
}

function spokenBelowHundred(words: readonly string[], at: number): { value: number; to: number } | null {
  const first = wordValues.get(words[at] ?? '')
  if (first === undefined) return null
  const second = wordValues.get(words[at + 1] ?? '')
  return first >= 20 && second !== undefined && second > 0 && second < 10
    ? { value: first + second, to: at + 2 }
    : { value: first, to: at + 1 }
}

function unitAfter(words: readonly string[], at: number): string | null {
  const [first = '', second = ''] = words.slice(at, at + 2)
  return (
    units.get(first) ??
    (isNumberWord(first) || /^(?:the|a|an|this|that|on|in|at)$/.test(first) ? null : (units.get(second) ?? null))
  )
}

export const meets = (one: Pick<Numeral, 'values'>, other: Pick<Numeral, 'values'>): boolean =>
  one.values.some((value) => other.values.includes(value))

export const isNumberWord = (word: string): boolean =>
  wordValues.has(word) || /^\d|^(?:half|hundred|thousand|twice|once|dozen|couple|fortnight)$/.test(word)

/** "twenty eight", "28", and "twenty-eight" are the same number, and "PHQ-9" has a 9. */
export function numbersIn(text: string): Set<string> {
  const pieces = piecesOf(text.replaceAll(/(?<=\p{L})-(?=\d)/gu, ' '))
  return new Set(numeralsIn(pieces).flatMap(({ values }) => values.map(String)))
}

export const numberPattern =
  '(?:\\d+(?:[.,]\\d+)?|zero|nought|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine)\\b)?|' +
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|hundred)'

export function dayOfMonth(text: string): number | null {
  const words = wordsOf(text).flatMap((word) => word.split('-'))
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const [before = '', word = ''] = [words[at - 1], words[at]]
    const ordinal = word === 'thirtieth' ? 30 : ordinals.indexOf(word)
    const ten = tens.get(before)
    if (ordinal > 0 && ordinal < 10 && (ten === 20 || ten === 30)) return ten + ordinal
    if (ordinal > 2 || (ordinal > 0 && before === 'the')) return ordinal
    const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)
    if (digits) return Number(digits[1])
  }
  return null
}
