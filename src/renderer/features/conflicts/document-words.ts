import type { Conflict } from '#contract/bridge/conflicts.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { conflictStrings } from '#renderer/strings/conflicts.ts'
import { formWords } from '#renderer/strings/forms.ts'
import { formatMoment } from '#renderer/strings/time.ts'

type OfDocument = Extract<Conflict, { kind: 'document' }>

/** One part of a document that the two sides say differently. */
export interface DifferingPart {
  readonly key: string
  readonly title: string
  readonly mine: string
  readonly theirs: string
  /** Words a person said. */
  readonly isSpoken: boolean
}

export interface Differing {
  readonly parts: readonly DifferingPart[]
  /** On what is left out, in words; null where nothing is. */
  readonly rest: string | null
}

interface Part {
  readonly key: string
  readonly title: string
  readonly text: string
}

/** More are counted, not shown. */
const mostTurns = 40

type NameOf = (name: string) => string

export function differingParts(conflict: OfDocument, nameOf: NameOf): Differing {
  if (conflict.record === 'transcript') return turns(conflict.mine, conflict.theirs, nameOf)
  const [mine, theirs] =
    conflict.record === 'note'
      ? [sections(conflict.mine), sections(conflict.theirs)]
      : [headings(conflict.mine), headings(conflict.theirs)]
  const parts = differing(mine, theirs, false)
  const same = new Set([...mine, ...theirs].map(({ key }) => key)).size - parts.length
  return { parts, rest: same > 0 ? conflictStrings.sameSections(same) : null }
}

function turns(mine: Transcript, theirs: Transcript, nameOf: NameOf): Differing {
  const parts = differing(turnsOf(mine, nameOf), turnsOf(theirs, nameOf), true)
  const left = parts.length - mostTurns
  return { parts: parts.slice(0, mostTurns), rest: left > 0 ? conflictStrings.moreTurns(left) : null }
}

function differing(mine: readonly Part[], theirs: readonly Part[], isSpoken: boolean): DifferingPart[] {
  const there = new Map(theirs.map((part) => [part.key, part]))
  const here = new Set(mine.map(({ key }) => key))
  const pairs = [
    ...mine.map((part) => ({ ...part, mine: part.text, theirs: there.get(part.key)?.text ?? '' })),
    ...theirs.filter(({ key }) => !here.has(key)).map((part) => ({ ...part, mine: '', theirs: part.text })),
  ]
  return pairs.filter((pair) => pair.mine !== pair.theirs).map(({ text: _text, ...pair }) => ({ ...pair, isSpoken }))
}

function sections({ sections: parts }: Note): Part[] {
  return parts.map(({ key, title, statements }) => ({ key, title, text: statements.map(({ text }) => text).join(' ') }))
}

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
