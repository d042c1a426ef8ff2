import groups from './synonyms.json' with { type: 'json' }
import opposites from './opposites.json' with { type: 'json' }
import words from './register.json' with { type: 'json' }
import { stemOf } from '#engines/language/text/words.ts'

const groupsOf = new Map<string, Set<string>>()
for (const [index, group] of groups.entries())
  for (const word of group.split(' '))
    for (const key of [word, stemOf(word)]) groupsOf.set(key, (groupsOf.get(key) ?? new Set()).add(`#${index}`))

export function keysOf(word: string): readonly string[] {
  const stem = stemOf(word)
  return [stem, ...(groupsOf.get(word) ?? []), ...(groupsOf.get(stem) ?? [])]
}

const sides = new Map<string, { readonly pair: number; readonly side: number }[]>()
for (const [pair, both] of opposites.entries())
  for (const [side, words] of both.entries())
    for (const word of words.split(' ')) sides.set(word, [...(sides.get(word) ?? []), { pair, side }])

export const sidesOf = (word: string): readonly { readonly pair: number; readonly side: number }[] =>
  sides.get(word) ?? sides.get(stemOf(word)) ?? []

const withStems = (lines: readonly string[]): Set<string> =>
  new Set(lines.flatMap((line) => line.split(' ')).flatMap((word) => [word, stemOf(word)]))

const clinical = withStems(words.clinical)
const frame = withStems(words.frame)
const kinds = new Map(
  Object.entries(words.specific).flatMap(([kind, each]) => each.split(' ').map((word) => [word, kind] as const)),
)

export const isRegister = (word: string): boolean => clinical.has(word) || clinical.has(stemOf(word))

/** The kind of a specific word, for example "relation" for "mother"; null for other words. */
export const strictKind = (word: string): string | null => kinds.get(word) ?? kinds.get(word.replace(/s$/, '')) ?? null

export const isFrame = (word: string): boolean => frame.has(word) || frame.has(stemOf(word))
