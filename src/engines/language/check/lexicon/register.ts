import { stemOf } from '#engines/language/text/words.ts'
import words from './register.json' with { type: 'json' }

const withStems = (lines: readonly string[]): Set<string> =>
  new Set(lines.flatMap((line) => line.split(' ')).flatMap((word) => [word, stemOf(word)]))

const clinical = withStems(words.clinical)
const frame = withStems(words.frame)
const kinds = new Map(
  Object.entries(words.specific).flatMap(([kind, each]) => each.split(' ').map((word) => [word, kind] as const)),
)

export const isRegister = (word: string): boolean => clinical.has(word) || clinical.has(stemOf(word))

/** Specific words by kind. If one is written but was never said, the statement invents it. */
export const strictKind = (word: string): string | null => kinds.get(word) ?? kinds.get(word.replace(/s$/, '')) ?? null

export const isFrame = (word: string): boolean => frame.has(word) || frame.has(stemOf(word))
