import { stemOf } from '#engines/language/text/words.ts'
import opposites from './opposites.json' with { type: 'json' }

/** A word from one side in the statement contradicts a source that has only words from the other side. */
const sides = new Map<string, { readonly pair: number; readonly side: number }[]>()
for (const [pair, both] of opposites.entries()) {
  for (const [side, words] of both.entries()) {
    for (const word of words.split(' ')) sides.set(word, [...(sides.get(word) ?? []), { pair, side }])
  }
}

export function sidesOf(word: string): readonly { readonly pair: number; readonly side: number }[] {
  return sides.get(word) ?? sides.get(stemOf(word)) ?? []
}
