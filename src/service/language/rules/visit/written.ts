import { numberPattern, numbersIn } from '../numbers.ts'

const shortUnits: Readonly<Record<string, string>> = { milligram: 'mg', milligrams: 'mg', microgram: 'mcg', micrograms: 'mcg' }
const unit =
  'milligrams?|micrograms?|mg|mcg|pounds?|kilos?|percent|per cent|weeks?|days?|months?|years?|hours?|minutes?|times|inches|centimeters|feet|degrees|tablets?|pills?|puffs?|units|drinks?|packs?|beers?|cigarettes?|glasses|miles?|pregnanc\\w+'
const measured = new RegExp(`\\b(${numberPattern})([ -])(?=(?:(?:a|more|of the|or so|full) )?(?:${unit})\\b)`, 'gi')
const ofMany = new RegExp(`\\b(${numberPattern}) out of (${numberPattern})\\b`, 'gi')

/** Small numbers before a unit as digits, and the short forms of units, as notes are written; quotations stay as said. */
export function asWritten(text: string): string {
  return text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : inFigures(part)))
    .join('')
}

const hundreds = new RegExp(
  `\\b((?:one|two|three|four|five|six|seven|eight|nine|\\d) hundred(?: (?:and )?${numberPattern})?)(?=[ -](?:${unit})\\b)`,
  'gi',
)
const range = new RegExp(`\\b(${numberPattern}) (to|or) (?=(?:${numberPattern})(?: more)?[ -](?:${unit})\\b)`, 'gi')

function inFigures(text: string): string {
  return text
    .replace(hundreds, (whole: string) => largest(whole) ?? whole)
    .replace(ofMany, (whole: string, part: string, all: string) => {
      const one = figure(part)
      const other = figure(all)
      return one === null || other === null ? whole : `${one} out of ${other}`
    })
    .replace(range, (whole: string, number: string, joint: string) => {
      const value = figure(number)
      return value === null ? whole : `${value} ${joint} `
    })
    .replace(measured, (whole: string, number: string, gap: string, at: number, all: string) => {
      if (/(?:hundred|thousand|point|\d|over|and a half)[ -]$/i.test(all.slice(0, at))) return whole
      const value = figure(number)
      return value === null ? whole : `${value}${gap}`
    })
    .replace(
      /\b(\d+)[ -](milligrams?|micrograms?)\b/gi,
      (_, value: string, name: string) => `${value} ${shortUnits[name.toLowerCase()]}`,
    )
    .replace(/\b(\d+) ?(?:percent|per cent|%)(?!\w)/gi, '$1%')
}

function largest(words: string): string | null {
  const values = [...numbersIn(words)].map(Number)
  return values.length === 0 ? null : String(Math.max(...values))
}

function figure(word: string): string | null {
  const [value, ...more] = numbersIn(word)
  return value !== undefined && more.length === 0 && value !== '0.5' ? value : null
}
