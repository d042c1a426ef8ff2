/** Word error rate: substitutions, deletions and insertions over the words said. Case, punctuation and hyphens do not count. */
export function wordErrors(said: string, heard: string): number {
  const [reference, hypothesis] = [words(said), words(heard)]
  let row = Array.from({ length: hypothesis.length + 1 }, (_, index) => index)
  for (const [index, word] of reference.entries()) {
    const next = [index + 1]
    for (const [column, other] of hypothesis.entries()) {
      next.push(Math.min(row[column]! + (word === other ? 0 : 1), row[column + 1]! + 1, next[column]! + 1))
    }
    row = next
  }
  return row.at(-1)! / Math.max(1, reference.length)
}

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('-', ' ')
    .match(/[a-z0-9]+(?:'[a-z]+)?/g) ?? []
