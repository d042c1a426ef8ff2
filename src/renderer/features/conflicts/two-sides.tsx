import { Fragment } from 'react'
import type { ConflictSide, Conflict } from '#contract/bridge/conflicts.ts'
import { conflictStrings, togetherStrings, statusWords } from '#renderer/strings/conflicts.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { RadioGroup, type RadioOption } from '#renderer/ui/choice.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { differingWords, type Piece } from '#renderer/lib/differing-words.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { formWords } from '#renderer/strings/forms.ts'
import { formatMoment, formatDayTime, formatFullDate, formatLength } from '#renderer/strings/time.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { roleWords } from '#renderer/strings/clients.ts'
import { sessionWords } from '#renderer/strings/session.ts'

type ComparedPart = Readonly<{ key: string; title: string | null; mine: string; theirs: string; isSpoken: boolean }>

export type Choice = ConflictSide | 'together'

interface TwoSidesProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly parts: readonly ComparedPart[]
  readonly mineWhen: string
  readonly theirsWhen: string
  readonly choices: readonly ConflictSide[]
  readonly value: Choice | null
  readonly onChange: (choice: Choice) => void
  readonly mayWrite?: boolean
  readonly isDecided?: boolean
}

export function TwoSides({ parts, mineWhen, theirsWhen, choices, isDecided = false, mayWrite = false, ...group }: TwoSidesProps) {
  const compared = parts.map((part) => ({ ...part, sides: differingWords(part.mine, part.theirs) }))
  const option = (side: ConflictSide, title: string, when: string): RadioOption<Choice> => ({
    value: side,
    isDisabled: !choices.includes(side),
    label: sideHead(title, when),
    detail: compared.map((part) => (
      <span key={part.key} className="conflict-part">
        {part.title !== null && <span className="conflict-part-title">{part.title}</span>}
        <Words pieces={part.sides[side === 'mine' ? 0 : 1]} isSpoken={part.isSpoken} />
      </span>
    )),
  })
  return (
    <div className="conflict-sides">
      <RadioGroup
        {...group}
        look="cards"
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

const sideHead = (title: string, when: string) => (
  <span className="conflict-side-head">
    <span>{title}</span>
    <span className="caption">{when}</span>
  </span>
)

const writing: RadioOption<Choice> = {
  value: 'together',
  label: sideHead(togetherStrings.option, togetherStrings.optionWhen),
}

function Words({ pieces, isSpoken }: { readonly pieces: readonly Piece[]; readonly isSpoken: boolean }) {
  if (pieces.every(({ text }) => text === '')) return <span className="conflict-empty">{conflictStrings.empty}</span>
  const words = pieces.map(({ text, differs }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
    <Fragment key={index}>{differs ? <Marked text={text} /> : text}</Fragment>
  ))
  return isSpoken ? <Spoken className="conflict-words">{words}</Spoken> : <span className="conflict-words">{words}</span>
}

function Marked({ text }: { readonly text: string }) {
  const words = text.trimEnd()
  return (
    <>
      <mark>{words}</mark>
      {text.slice(words.length)}
    </>
  )
}

type OfDocument = Extract<Conflict, { kind: 'document' }>

type Differing = Readonly<{ parts: readonly ComparedPart[]; rest: string | null }>

type Part = Readonly<{ key: string; title: string; text: string }>

const MAX_TURNS = 40

type NameOf = (name: string) => string

export function differingParts(conflict: OfDocument, nameOf: NameOf): Differing {
  if (conflict.record === 'transcript') {
    const turns = differing(turnsOf(conflict.mine, nameOf), turnsOf(conflict.theirs, nameOf), true)
    const left = turns.length - MAX_TURNS
    return { parts: turns.slice(0, MAX_TURNS), rest: left > 0 ? conflictStrings.moreTurns({ count: left }) : null }
  }
  const [mine, theirs] =
    conflict.record === 'note'
      ? [sections(conflict.mine), sections(conflict.theirs)]
      : [headings(conflict.mine), headings(conflict.theirs)]
  const parts = differing(mine, theirs, false)
  const same = new Set([...mine, ...theirs].map(({ key }) => key)).size - parts.length
  return { parts, rest: same > 0 ? conflictStrings.sameSections({ count: same }) : null }
}

function differing(mine: readonly Part[], theirs: readonly Part[], isSpoken: boolean): ComparedPart[] {
  const there = new Map(theirs.map((part) => [part.key, part]))
  const here = new Set(mine.map(({ key }) => key))
  const pairs = [
    ...mine.map((part) => ({ ...part, mine: part.text, theirs: there.get(part.key)?.text ?? '' })),
    ...theirs.filter(({ key }) => !here.has(key)).map((part) => ({ ...part, mine: '', theirs: part.text })),
  ]
  return pairs.filter((pair) => pair.mine !== pair.theirs).map(({ text: _text, ...pair }) => ({ ...pair, isSpoken }))
}

const sections = ({ sections: parts }: Note): Part[] =>
  parts.map(({ key, title, statements }) => ({ key, title, text: statements.map(({ text }) => text).join(' ') }))

function headings({ name, sections: parts, style }: OwnTemplate): Part[] {
  const looks = [formWords.lengths[style.length], formWords.names[style.client_as]]
  return [
    { key: 'name', title: formWords.name, text: name },
    ...parts.map(({ key, title, holds, when_empty }) => {
      const held = holds.length === 0 ? formWords.holdsNothing : holds.map((kind) => formWords.kinds[kind]).join(', ')
      return { key, title, text: `${title}: ${held}. ${formWords.empty}: ${formWords.whenEmpty[when_empty]}` }
    }),
    { key: 'style', title: formWords.length, text: looks.join(', ') },
  ]
}

function turnsOf({ speakers, segments }: Transcript, nameOf: NameOf): Part[] {
  const labels = new Map(speakers.map(({ id, label }) => [id, nameOf(label)]))
  return segments.map(({ id, speaker_id, start_ms, text }) => {
    const label = labels.get(speaker_id ?? '') ?? ''
    const at = start_ms === null ? '' : formatMoment(start_ms)
    return { key: id, title: [at, label].filter(Boolean).join(' '), text }
  })
}

type Values = Omit<Client, 'status'> & Omit<Session, 'status'> & { readonly status: string }
type Say<Name extends keyof Values> = (value: NonNullable<Values[Name]>, nameOf: NameOf) => string

const lines = (values: readonly string[]): string => values.join('\n')
const time = (at: string): string => capitalized(formatDayTime(at))
const name = (value: string, nameOf: NameOf): string => nameOf(value)

const words: { readonly [Name in keyof Values]?: Say<Name> } = {
  display_name: name,
  given_name: name,
  family_name: name,
  date_of_birth: formatFullDate,
  status: (value) => statusWords[value] ?? value,
  diagnoses: (values) => lines(values.map(({ code, description }) => `${code} ${description}`)),
  insurance: ({ payer_name, member_id }) => lines([payer_name, member_id]),
  goals: lines,
  vocabulary: (values) => values.join(', '),
  session_type: (value) => sessionWords.types[value],
  starts_at: time,
  started_at: time,
  finished_at: time,
  duration_minutes: (value) => formatLength(value * 60_000),
  modality: (value) => capitalized(sessionWords.places[value]),
  participants: (values, nameOf) => lines(values.map((one) => `${nameOf(one.name)}, ${roleWords[one.role]}`)),
  presenting_concerns: lines,
}

export function valueWords(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return conflictStrings.empty
  const say = (words as Readonly<Record<string, ((value: never, nameOf: NameOf) => string) | undefined>>)[field]
  if (say !== undefined) return say(value as never, nameOf)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
