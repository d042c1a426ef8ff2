import { capitalise, restoreCapitals } from './clean.ts'
import { drugIn, mentionsMedication } from './lexicon/medication.ts'
import { riskTopic } from './lexicon/risk.ts'
import type { Fact, FactKind, Person, Span } from './types.ts'

export interface FactDraft {
  readonly kind: FactKind
  readonly topic: string
  readonly text: string
  readonly spans: readonly Span[]
  readonly person: Person | null
  readonly support: Fact['support']
  readonly score: number
  readonly finding?: Fact['finding']
  readonly must?: boolean
  readonly safety?: boolean
  readonly covers?: readonly number[]
}

/** Completes a fact: its end mark, its place in time, and whether it needs a click of its own before signing. */
export function factOf(draft: FactDraft): Fact {
  const said = draft.spans.map((span) => span.sentence.raw).join(' ')
  const safety =
    draft.safety === true ||
    riskTopic(draft.text) !== null ||
    (draft.kind === 'medication' && mentionsMedication(said)) ||
    drugIn(draft.text) !== null
  const places = draft.spans.map((span) => span.sentence.index)
  return {
    kind: draft.kind,
    topic: draft.topic,
    text: ended(draft.text),
    spans: draft.spans,
    person: draft.person,
    support: draft.support,
    finding: draft.finding ?? null,
    safety,
    must: draft.must ?? safety,
    score: draft.score,
    at: Math.min(...places),
    covers: new Set([...places, ...(draft.covers ?? [])]),
  }
}

function ended(text: string): string {
  const whole = capitalise(text.trim())
  return /[.?!]$/.test(whole) ? whole : `${whole}.`
}

/** Reworded text of a recogniser that writes small letters only. */
export function written(text: string, names: readonly string[]): string {
  return text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : restoreCapitals(part, names)))
    .join('')
}
