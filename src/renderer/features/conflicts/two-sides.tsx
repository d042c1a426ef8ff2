import { Fragment } from 'react'
import type { ConflictSide } from '#contract/bridge/conflicts.ts'
import { conflictStrings, togetherStrings } from '#renderer/strings/conflicts.ts'
import { RadioGroup, type RadioOption } from '#renderer/ui/choice.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'

export interface TwoSidesPart {
  readonly key: string
  /** Null: there is only one, and the question names it. */
  readonly title: string | null
  readonly mine: string
  readonly theirs: string
  readonly isSpoken?: boolean
}

export type Choice = ConflictSide | 'together'

interface Props {
  /** What is chosen, e.g. "Phone number". */
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly parts: readonly TwoSidesPart[]
  /** When each was made, in words. */
  readonly mineWhen: string
  readonly theirsWhen: string
  readonly choices: readonly ConflictSide[]
  readonly value: Choice | null
  readonly onChange: (choice: Choice) => void
  /** Neither of the two as it is, but one out of both. */
  readonly mayWrite?: boolean
  /** To look at: it was chosen before. */
  readonly isDecided?: boolean
}

/** Both versions side by side; what the other does not say is marked. */
export function TwoSides({
  label,
  isLabelHidden = false,
  parts,
  mineWhen,
  theirsWhen,
  choices,
  value,
  onChange,
  isDecided = false,
  mayWrite = false,
}: Props) {
  const compared = parts.map((part) => ({ ...part, sides: differingWords(part.mine, part.theirs) }))
  const option = (side: ConflictSide, title: string, when: string): RadioOption<Choice> => ({
    value: side,
    isDisabled: !choices.includes(side),
    label: (
      <span className="conflict-side-head">
        <span>{title}</span>
        <span className="caption">{when}</span>
      </span>
    ),
    detail: compared.map((part) => (
      <span key={part.key} className="conflict-part">
        {part.title !== null && <span className="conflict-part-title">{part.title}</span>}
        <Words pieces={part.sides[side === 'mine' ? 0 : 1]} isSpoken={part.isSpoken ?? false} />
      </span>
    )),
  })
  return (
    <div className="conflict-sides">
      <RadioGroup
        label={label}
        isLabelHidden={isLabelHidden}
        look="cards"
        value={value}
        onChange={onChange}
        isDisabled={isDecided}
        options={[
          option('mine', conflictStrings.mine, mineWhen),
          option('theirs', conflictStrings.theirs, theirsWhen),
          ...(mayWrite ? [writing] : []),
        ]}
      />
    </div>
  )
}

const writing: RadioOption<Choice> = {
  value: 'together',
  label: (
    <span className="conflict-side-head">
      <span>{togetherStrings.option}</span>
      <span className="caption">{togetherStrings.optionWhen}</span>
    </span>
  ),
}

function Words({ pieces, isSpoken }: { readonly pieces: readonly Piece[]; readonly isSpoken: boolean }) {
  if (pieces.every(({ text }) => text === '')) return <span className="conflict-empty">{conflictStrings.empty}</span>
  const words = pieces.map(({ text, differs }, index) => (
    // The pieces of one text keep their order.
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{differs ? <Marked text={text} /> : text}</Fragment>
  ))
  return isSpoken ? <Spoken className="conflict-words">{words}</Spoken> : <span className="conflict-words">{words}</span>
}

/** The space behind the last word is on both sides. */
function Marked({ text }: { readonly text: string }) {
  const words = text.trimEnd()
  return (
    <>
      <mark>{words}</mark>
      {text.slice(words.length)}
    </>
  )
}

interface Piece {
  readonly text: string
  /** The other side does not say this. */
  readonly differs: boolean
}

/** Beyond so many words, comparing them all would take longer than looking. */
const mostWords = 1500

/** Both texts, with what the other does not say marked; spaces between two marked words are marked with them. */
export function differingWords(mine: string, theirs: string): readonly [readonly Piece[], readonly Piece[]] {
  const [left, right] = [wordsOf(mine), wordsOf(theirs)]
  if (left.length > mostWords || right.length > mostWords) return [plain(mine), plain(theirs)]
  const same = standingOut(commonWords(left, right), [left.length, right.length])
  return [marked(left, new Set(same.map(([index]) => index))), marked(right, new Set(same.map(([, index]) => index)))]
}

const plain = (text: string): Piece[] => [{ text, differs: false }]
/** Each word with the space behind it. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

/** The longest common subsequence, as pairs of places. */
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

/** One word that is the same amid others that are not, on both sides, is read with them. */
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
