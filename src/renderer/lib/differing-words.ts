export type Piece = Readonly<{ text: string; differs: boolean }>

/** Longer texts are not compared, because the comparison takes quadratic time. */
const MAX_WORDS = 1500

export function differingWords(mine: string, theirs: string): readonly [readonly Piece[], readonly Piece[]] {
  const [left, right] = [wordsOf(mine), wordsOf(theirs)]
  if (left.length > MAX_WORDS || right.length > MAX_WORDS) return [plain(mine), plain(theirs)]
  const same = standingOut(commonWords(left, right), [left.length, right.length])
  return [marked(left, new Set(same.map(([index]) => index))), marked(right, new Set(same.map(([, index]) => index)))]
}

const plain = (text: string): Piece[] => [{ text, differs: false }]
const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

function commonWords(left: readonly string[], right: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  const isSame = (row: number, column: number): boolean => left[row]!.trim() === right[column]!.trim()
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row]![column] = isSame(row, column)
        ? lengths[row + 1]![column + 1]! + 1
        : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!)
  const pairs: [number, number][] = []
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (isSame(row, column)) pairs.push([row++, column++])
    else if (lengths[row + 1]![column]! >= lengths[row]![column + 1]!) row += 1
    else column += 1
  }
  return pairs
}

function standingOut(same: readonly [number, number][], lengths: readonly [number, number]): readonly [number, number][] {
  const isAmid = (side: 0 | 1): ((pair: [number, number]) => boolean) => {
    const places = new Set(same.map((pair) => pair[side]))
    return ({ [side]: at }) => at > 0 && at < lengths[side] - 1 && !places.has(at - 1) && !places.has(at + 1)
  }
  const [isAmidLeft, isAmidRight] = [isAmid(0), isAmid(1)]
  return same.filter((pair) => !isAmidLeft(pair) || !isAmidRight(pair))
}

function marked(words: readonly string[], same: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = []
  for (const [index, text] of words.entries()) {
    const differs = !same.has(index)
    const last = pieces.at(-1)
    if (last?.differs === differs) pieces[pieces.length - 1] = { text: last.text + text, differs }
    else pieces.push({ text, differs })
  }
  return pieces
}
