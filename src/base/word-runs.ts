interface TimedWord {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
}

interface Said<Word extends TimedWord, Time extends number | null> {
  readonly text: string
  readonly start_ms: Time
  readonly end_ms: Time
  readonly words?: readonly Word[] | undefined
}

export interface WordRun<Word extends TimedWord, Time extends number | null, Whose> {
  readonly whose: Whose
  readonly from: number
  readonly text: string
  readonly start_ms: number | Time
  readonly end_ms: number | Time
  readonly words: Word[]
}

export function wordRuns<Word extends TimedWord, Time extends number | null, Whose>(
  { text, start_ms, end_ms, words = [] }: Said<Word, Time>,
  whose: (words: readonly Word[]) => readonly Whose[],
): WordRun<Word, Time, Whose>[] | null {
  const starts = wordStarts(text, words)
  if (starts === null) return null
  const owners = whose(words)
  const runs: WordRun<Word, Time, Whose>[] = []
  for (let from = 0; from < words.length;) {
    let to = from + 1
    while (to < words.length && owners[to] === owners[from]) to++
    const isFirst = from === 0
    const isLast = to === words.length
    runs.push({
      whose: owners[from]!,
      from,
      text: text.slice(isFirst ? 0 : starts[from], isLast ? text.length : starts[to]).trim(),
      start_ms: isFirst ? start_ms : words[from]!.start_ms,
      end_ms: isLast ? end_ms : words[to - 1]!.end_ms,
      words: words.slice(from, to),
    })
    from = to
  }
  return runs
}

function wordStarts(text: string, words: readonly TimedWord[]): number[] | null {
  if (words.length === 0) return null
  const starts: number[] = []
  let from = 0
  for (const word of words) {
    const at = text.indexOf(word.text.trim(), from)
    if (at < 0) return null
    starts.push(at)
    from = at + word.text.trim().length
  }
  return starts
}
