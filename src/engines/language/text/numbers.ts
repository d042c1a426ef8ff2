import { piecesOf, wordsOf } from './words.ts'

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )
const wordValues = new Map<string, number>([
  ...small.map((word, value) => [word, value] as const),
  ...tens.flatMap((word, value) => (word === '_' ? [] : [[word, value * 10] as const])),
  ...ordinals.map((word, value) => [word, value] as const),
  ['hundred', 100],
  ['thousand', 1000],
  ['nought', 0],
  ['nil', 0],
  ['thirtieth', 30],
  ['fourty', 40],
  ['ninties', 90],
  ['twenties', 20],
  ['thirties', 30],
  ['forties', 40],
  ['fifties', 50],
  ['sixties', 60],
])

/** A number as written or spoken, with its alternatives ("half an hour": 0.5 and 30). */
export interface Numeral {
  readonly values: readonly number[]
  readonly from: number
  readonly to: number
  /** "one", "first", "second", "third", "once": often a figure of speech. */
  readonly isWeak: boolean
  readonly unit: string | null
}

const units: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'minute:minute minutes:minute min:minute mins:minute hour:hour hours:hour day:day days:day week:week weeks:week fortnight:week month:month months:month year:year years:year ' +
    'mg:mg milligram:mg milligrams:mg mcg:mcg microgram:mcg micrograms:mcg gram:gram grams:gram percent:percent kilo:kg kilos:kg kg:kg stone:stone pound:pound pounds:pound ' +
    "night:night nights:night evening:night evenings:night o'clock:clock am:clock pm:clock second:secs seconds:secs"
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

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

const phrases: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^half an hour/, [0.5, 30]],
  [/^(?:an|one) hour and a half/, [1.5, 90]],
  [/^(?:an|one) and a half hours/, [1.5, 90]],
  [/^a year and a half/, [1.5, 18]],
  [/^a month and a half/, [1.5, 6]],
  [/^(?:a )?quarter of an hour/, [15, 0.25]],
  [/^an hour/, [1, 60]],
  [/^(?:a |one )?fortnight/, [2, 14]],
  [/^every other/, [2]],
  [
    /^(?:a )?couple(?= (?:of )?(?:\w+ )?(?:hour|minute|day|week|month|year|time|beer|drink|glass|can|cup|pint|tablet|thing|friend|night|coffee|cigarette)s\b)/,
    [2],
  ],
  [/^(?:a|half a) dozen/, [12, 6]],
  [/^half a/, [0.5]],
  [/^twice/, [2]],
  [/^thrice/, [3]],
  [/^once/, [1]],
  [/^(?:noon|midday|midnight)/, [12]],
]

const opensPhrase = new Set(
  'half an one a quarter fortnight every couple twice thrice once noon midday midnight dozen'.split(' '),
)

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
  for (const [pattern, values] of phrases) {
    const match = pattern.exec(ahead)
    if (match && /^(?:\s|$)/.test(ahead.slice(match[0].length))) return { values, from: at, to: at + match[0].split(' ').length }
  }
  return null
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
  const valueOf = (word: string | undefined): number | undefined => wordValues.get((word ?? '').replace(/ish$/, ''))
  const first = words[at] === 'a' && /^(?:hundred|thousand)$/.test(words[at + 1] ?? '') ? 1 : valueOf(words[at])
  if (first === undefined) return null
  const values: number[] = []
  let total = first
  let place = at + 1
  const next = valueOf(words[place])
  if (first >= 20 && first < 100 && next !== undefined && next >= 1 && next < 10) {
    total += next
    place += 1
  } else if (first >= 1 && first < 10 && next !== undefined && next >= 1 && next < 10 && isHundreds(words, at)) {
    return { values: [first * 1000 + next * 100, first, next], from: at, to: place + 1 }
  } else if (first >= 1 && first < 20 && next !== undefined && next >= 10 && next < 100 && !isOrdinal(words[place])) {
    const after = valueOf(words[place + 1])
    const low = next >= 20 && after !== undefined && after < 10 ? next + after : next
    values.push(first * 100 + low, first + low / 100, first, next)
    return { values, from: at, to: place + (low === next ? 1 : 2) }
  }
  while (/^(?:hundred|thousand)$/.test(words[place] ?? '')) {
    total *= words[place] === 'hundred' ? 100 : 1000
    place += 1
    const rest = restAt(words, words[place] === 'and' ? place + 1 : place)
    if (rest === null) continue
    total += rest.value
    place = rest.to
  }
  if (words[place] === 'point' && valueOf(words[place + 1]) !== undefined) {
    total += (valueOf(words[place + 1]) ?? 0) / 10
    place += 2
  }
  return { values: [total], from: at, to: place }
}

/** "It was four eight in November", about money, can mean 4,800. */
function isHundreds(words: readonly string[], at: number): boolean {
  return (
    /^(?:was|is|at|to|from|about|nearly|owe|owed|paid)$/.test(words[at - 1] ?? '') &&
    /^(?:in|last|now|then|before|by|a|)$/.test(words[at + 2] ?? '')
  )
}

function isOrdinal(word: string | undefined): boolean {
  return ordinals.includes(word ?? '')
}

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
  return units[first] ?? (isNumberWord(first) || /^(?:the|a|an|this|that|on|in|at)$/.test(first) ? null : (units[second] ?? null))
}

export function isNumberWord(word: string): boolean {
  return wordValues.has(word) || /^\d|^(?:half|hundred|thousand|twice|once|dozen|couple|fortnight)$/.test(word)
}

/** "twenty eight", "28" and "twenty-eight" are the same number, and "PHQ-9" has a 9. */
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
    const ten = tens.indexOf(before)
    if (ordinal > 0 && ordinal < 10 && (ten === 2 || ten === 3)) return ten * 10 + ordinal
    if (ordinal > 2 || (ordinal > 0 && before === 'the')) return ordinal
    const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)
    if (digits) return Number(digits[1])
  }
  return null
}
