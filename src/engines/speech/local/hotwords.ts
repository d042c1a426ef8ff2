import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** They mean something else to the library: parts of a list, a weight, a threshold. */
const signs = /[/:#@]/g

/**
 * Words to expect, as the library wants them: phrases parted by "/". One that cannot be written in the model's tokens is
 * left out; the library would drop all others with it.
 */
export function hotwordsOf(vocabulary: readonly string[], tokensFile: string): string {
  const tokens = new Set(tokensIn(tokensFile))
  const isUpperCase = ![...tokens].some((token) => /^▁?\p{Ll}+$/u.test(token))
  return vocabulary
    .map((phrase) => phrase.replaceAll(signs, ' ').replaceAll(/\s+/g, ' ').trim())
    .flatMap((phrase) => [isUpperCase ? phrase.toUpperCase() : phrase, phrase.toLowerCase()].find(canWrite(tokens)) ?? [])
    .join('/')
}

/**
 * The library cuts phrases into tokens by itself, from a list of them with what each is worth, which few models bring.
 * Byte pair merges stand in the tokens file in the order in which they were learned, which is their worth. The list holds
 * the model's tokens and nothing of anybody's words; it is gone when `use` is done.
 */
export function withTokenWorth<Result>(tokensFile: string, use: (file: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-tokens-'))
  try {
    const file = join(folder, 'bpe.vocab')
    writeFileSync(
      file,
      `${tokensIn(tokensFile)
        .map((token, index) => `${token}\t${-index}`)
        .join('\n')}\n`,
    )
    return use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tokensIn = (file: string): string[] => file.split('\n').flatMap((line) => /^(\S+) \d+\s*$/.exec(line)?.[1] ?? [])

function canWrite(tokens: ReadonlySet<string>): (phrase: string) => boolean {
  return (phrase) => {
    if (phrase === '') return false
    // A longer token may leave a rest that no token begins, so every way is tried, each place once.
    const written = `▁${phrase.replaceAll(' ', '▁')}`
    const reached = new Set([0])
    for (let at = 0; at < written.length; at += 1) {
      if (!reached.has(at)) continue
      for (let end = at + 1; end <= written.length; end += 1) if (tokens.has(written.slice(at, end))) reached.add(end)
    }
    return reached.has(written.length)
  }
}
