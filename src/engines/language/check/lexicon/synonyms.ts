import { stemOf } from '#engines/language/text/words.ts'
import groups from './synonyms.json' with { type: 'json' }

const groupsOf = new Map<string, string[]>()
for (const [index, group] of groups.entries()) {
  for (const word of group.split(' ')) {
    for (const key of new Set([word, stemOf(word)])) {
      const own = groupsOf.get(key)
      const name = `#${index}`
      if (own === undefined) groupsOf.set(key, [name])
      else if (!own.includes(name)) own.push(name)
    }
  }
}

export function keysOf(word: string): readonly string[] {
  const stem = stemOf(word)
  return [stem, ...(groupsOf.get(word) ?? []), ...(groupsOf.get(stem) ?? [])]
}
