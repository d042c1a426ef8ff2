/**
 * Words to expect, as the library wants them: each phrase a row of the model's own tokens, phrases parted by "/". A
 * phrase that cannot be written in those tokens is left out.
 */
export function hotwordsOf(vocabulary: readonly string[], tokensFile: string): string {
  const tokens = new Set(tokensFile.split('\n').flatMap((line) => /^(\S+) \d+\s*$/.exec(line)?.[1] ?? []))
  const isUpperCase = ![...tokens].some((token) => /^▁?\p{Ll}+$/u.test(token))
  return vocabulary
    .flatMap(
      (phrase) => inTokens(isUpperCase ? phrase.toUpperCase() : phrase, tokens) ?? inTokens(phrase.toLowerCase(), tokens) ?? [],
    )
    .join('/')
}

/** The longest token that fits, then the next. "▁" begins a word. */
function inTokens(phrase: string, tokens: ReadonlySet<string>): string | null {
  const written = phrase
    .trim()
    .split(/\s+/)
    .map((word) => `▁${word}`)
    .join('')
  const found: string[] = []
  for (let at = 0; at < written.length;) {
    let end = written.length
    while (end > at && !tokens.has(written.slice(at, end))) end -= 1
    if (end === at) return null
    found.push(written.slice(at, end))
    at = end
  }
  return found.length === 0 ? null : found.join(' ')
}
