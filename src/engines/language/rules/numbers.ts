import { wordsOf } from '../text/words.ts'

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const ordinals = (
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth ' +
  'seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth ' +
  'twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'
).split(' ')
const also: Readonly<Record<string, number>> = { nought: 0, naught: 0, once: 1, twice: 2, half: 0.5, dozen: 12, fortnight: 14 }

export const numberPattern =
  '(?:\\d+(?:[.,]\\d+)?|zero|nought|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine)\\b)?|' +
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|hundred)'

function unitValue(word: string): number | null {
  const unit = units.indexOf(word)
  if (unit >= 0) return unit
  const ten = tens.indexOf(word)
  return ten >= 2 ? ten * 10 : null
}

const values = new Map<string, number | null>()

function wordValue(word: string): number | null {
  const known = values.get(word)
  if (known !== undefined) return known
  if (values.size > 20_000) values.clear()
  const value = freshValue(word)
  values.set(word, value)
  return value
}

function freshValue(word: string): number | null {
  if (/^\d+(?:st|nd|rd|th)?$/.test(word)) return Number.parseInt(word, 10)
  const plain = unitValue(word) ?? also[word]
  if (plain !== undefined && plain !== null) return plain
  const ordinal = ordinals.indexOf(word)
  return ordinal > 0 ? ordinal : null
}

/** All spoken numbers as digits: "twenty eight", "28" and "twenty-eight" are one number. */
export function numbersIn(text: string): Set<string> {
  const found = new Set<string>()
  const words = wordsOf(text).flatMap((word) => (word.includes('-') && !ordinals.includes(word) ? word.split('-') : [word]))
  for (let at = 0; at < words.length; at += 1) {
    const value = wordValue(words[at] ?? '')
    if (value === null) continue
    const next = wordValue(words[at + 1] ?? '')
    if (value > 0 && value < 20 && words[at + 1] === 'hundred') found.add(String(value * 100 + restOfHundred(words, at + 2)))
    if (
      value >= 20 &&
      value < 100 &&
      value % 10 === 0 &&
      next !== null &&
      next > 0 &&
      next < 10 &&
      !/^\d/.test(words[at] ?? '')
    ) {
      found.add(String(value + next))
      at += 1
    } else found.add(String(value))
  }
  return found
}

/** "two hundred and fifty" is 250, besides the 2 and the 50. */
function restOfHundred(words: readonly string[], from: number): number {
  const at = words[from] === 'and' ? from + 1 : from
  const value = wordValue(words[at] ?? '') ?? 0
  const unit = wordValue(words[at + 1] ?? '') ?? 0
  if (value <= 0 || value >= 100 || !Number.isInteger(value)) return 0
  return value >= 20 && value % 10 === 0 && unit > 0 && unit < 10 ? value + unit : value
}

export function isNumberWord(word: string): boolean {
  return word.split('-').every((part) => wordValue(part) !== null || part === 'hundred')
}

/** Day of the month in "the twelfth", "20th", "twenty fifth"; null if there is none. */
export function dayOfMonth(text: string): number | null {
  const words = wordsOf(text)
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] ?? ''
    const joined = at > 0 ? `${words[at - 1]}-${word}` : ''
    const pair = ordinals.indexOf(joined)
    if (pair > 0) return pair
    const single = ordinals.indexOf(word)
    if (single > 0 && !(single <= 9 && /^(?:twenty|thirty)$/.test(words[at - 1] ?? ''))) {
      if (single > 2 || words[at - 1] === 'the') return single
    }
    const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)
    if (digits) return Number(digits[1])
  }
  return null
}
