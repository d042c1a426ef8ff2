const rules = new Intl.PluralRules('en')

/** Replaces `#` with the number: plural(2, '# note', '# notes') is "2 notes". */
export function plural(count: number, one: string, other: string): string {
  return (rules.select(count) === 'one' ? one : other).replaceAll('#', String(count))
}

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

/** Spells out numbers up to ten, for the start of a sentence: "Two notes are left to sign". */
export function pluralSentence(count: number, one: string, other: string): string {
  const word = words[count] ?? String(count)
  return (rules.select(count) === 'one' ? one : other).replaceAll('#', word)
}

export function listOfNames(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
