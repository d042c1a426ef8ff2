/** ROUGE-1/2/Lsum F1 as in google rouge_score without stemming: what published tables of visit notes use. */
export interface Rouge {
  readonly r1: number
  readonly r2: number
  readonly rLsum: number
}

export function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

export function rouge(candidate: string, reference: string): Rouge {
  const own = tokensOf(candidate)
  const wanted = tokensOf(reference)
  return { r1: overlap(own, wanted, 1), r2: overlap(own, wanted, 2), rLsum: summaryOverlap(candidate, reference) }
}

export function meanRouge(scores: readonly Rouge[]): Rouge {
  const mean = (of: (score: Rouge) => number): number =>
    scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + of(score), 0) / scores.length
  return { r1: mean((score) => score.r1), r2: mean((score) => score.r2), rLsum: mean((score) => score.rLsum) }
}

function f1(hits: number, own: number, wanted: number): number {
  return hits === 0 ? 0 : (2 * hits) / (own + wanted)
}

function counted(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function runsOf(tokens: readonly string[], length: number): string[] {
  return tokens.slice(0, Math.max(0, tokens.length - length + 1)).map((_, at) => tokens.slice(at, at + length).join(' '))
}

function overlap(own: readonly string[], wanted: readonly string[], length: number): number {
  const mine = runsOf(own, length)
  const theirs = runsOf(wanted, length)
  const available = counted(theirs)
  let hits = 0
  for (const [run, count] of counted(mine)) hits += Math.min(count, available.get(run) ?? 0)
  return f1(hits, mine.length, theirs.length)
}

/** Each reference line takes the union of its longest common subsequences with every written line; a word counts once. */
function summaryOverlap(candidate: string, reference: string): number {
  const own = linesOf(candidate)
  const wanted = linesOf(reference)
  const left = counted(own.flat())
  const open = counted(wanted.flat())
  let hits = 0
  for (const line of wanted) {
    const places = new Set(own.flatMap((each) => commonPlaces(line, each)))
    for (const place of [...places].toSorted((one, other) => one - other)) {
      const word = line[place] ?? ''
      const mine = left.get(word) ?? 0
      const theirs = open.get(word) ?? 0
      if (mine === 0 || theirs === 0) continue
      hits += 1
      left.set(word, mine - 1)
      open.set(word, theirs - 1)
    }
  }
  return f1(hits, own.flat().length, wanted.flat().length)
}

function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .map(tokensOf)
    .filter((line) => line.length > 0)
}

/** Places in `line` that lie on one longest common subsequence with `other`; ties as the reference scorer breaks them. */
function commonPlaces(line: readonly string[], other: readonly string[]): number[] {
  const width = other.length + 1
  const table = new Uint16Array((line.length + 1) * width)
  const at = (row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = 1; row <= line.length; row += 1)
    for (let column = 1; column <= other.length; column += 1)
      table[row * width + column] =
        line[row - 1] === other[column - 1] ? at(row - 1, column - 1) + 1 : Math.max(at(row - 1, column), at(row, column - 1))
  const places: number[] = []
  let row = line.length
  let column = other.length
  while (row > 0 && column > 0) {
    if (line[row - 1] === other[column - 1]) {
      places.push(row - 1)
      row -= 1
      column -= 1
    } else if (at(row, column - 1) > at(row - 1, column)) column -= 1
    else row -= 1
  }
  return places
}
