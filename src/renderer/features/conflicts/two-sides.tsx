import { Fragment } from 'react'
import type { ConflictSide } from '#contract/bridge/conflicts.ts'
import { conflictStrings, togetherStrings } from '#renderer/strings/conflicts.ts'
import { RadioGroup, type RadioOption } from '#renderer/ui/choice.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { differingWords, type Piece } from './differing-words.ts'

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
