import { lengthOf, quotable, spanOf } from '#engines/language/rules/quotes.ts'
import type { Sentence, Span } from '#engines/language/rules/types.ts'

const longestClean = 26
const longest = 36
const shortest = 3

/** The sentence, or the clause of it that holds `wanted`: raw words, readable. Null where nothing of it is. */
export function quoteOf(sentence: Sentence, wanted: RegExp | null): Span | null {
  const clean = quotable(sentence, longestClean, wanted)
  if (clean !== null && lengthOf(clean) >= shortest) return clean
  const whole = spanOf(sentence)
  const length = lengthOf(whole)
  return length >= shortest && length <= longest ? whole : null
}
