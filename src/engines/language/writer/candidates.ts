import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Statement } from '#contract/model/note.ts'
import { contentId, evidenceAt } from '../rules/quotes.ts'
import { mentionsMedication } from '../rules/lexicon/medication.ts'
import { riskTopic } from '../rules/lexicon/risk.ts'
import { findingTopic } from '../rules/questions.ts'
import type { SaidDraft, SaidStatement } from './ask.ts'
import { faultOf, isDenied } from './grounds.ts'
import { locate } from './source.ts'
import type { Source, Place } from './source.ts'

export interface Candidate {
  readonly key: string
  readonly statement: Statement
  readonly at: number
}

export interface Sifted {
  readonly candidates: readonly Candidate[]
  readonly unsupported: readonly { readonly text: string; readonly reason: string }[]
}

/** Another group member's words must not appear in this client's record, not even as an omission. */
const anotherMember = 'it is about another member of the group'
const MAX_TEXT = 1200
const MAX_EVIDENCE = 6

export function sift(draft: SaidDraft, source: Source, names: ReadonlyMap<string, string>): Sifted {
  const candidates: Candidate[] = []
  const unsupported: { text: string; reason: string }[] = []
  for (const { key, statements } of draft.sections) {
    for (const said of statements) {
      const text = named(said.text.replace(/\s+/g, ' ').trim(), names)
      if (text === '') continue
      const places = placesOf(said, source)
      const reason = reasonAgainst(text, said, places, source)
      if (reason === null)
        candidates.push({ key, statement: statementOf(text, said, places, source), at: firstOf(places, source) })
      else if (mayBeListed(text, places, source)) unsupported.push({ text: cutText(text, MAX_PARAGRAPH), reason })
    }
  }
  return { candidates, unsupported }
}

function mayBeListed(text: string, places: readonly Place[], source: Source): boolean {
  return source.keeps(text, places) && (source.member?.holdsNothingOfOthers(text) ?? true)
}

function reasonAgainst(text: string, said: SaidStatement, places: readonly Place[], source: Source): string | null {
  if (text.length > MAX_TEXT) return 'it is too long to be checked'
  const fault = faultOf({ ...said, text }, places, source)
  if (fault !== null) return fault
  return source.keeps(text, places) ? null : anotherMember
}

function placesOf(said: SaidStatement, source: Source): Place[] {
  return said.evidence
    .slice(0, MAX_EVIDENCE)
    .flatMap(({ segment, quote }) => locate(quote, Math.round(segment), source.segments))
    .filter((place) => !source.isToWriter(place))
}

function firstOf(places: readonly Place[], { segments }: Source): number {
  return Math.min(...places.map(({ segment }) => segments.indexOf(segment)))
}

/** The sentence is the model's; all other fields are computed from the session or checked against it. */
function statementOf(text: string, said: SaidStatement, places: readonly Place[], source: Source): Statement {
  const seen = new Set<string>()
  const evidence = places
    .map(({ segment, from, to }) => evidenceAt(segment, { from, to }))
    .filter((each) => !seen.has(`${each.segment_id} ${each.quote}`) && seen.add(`${each.segment_id} ${each.quote}`))
  const words = [text, ...evidence.map(({ quote }) => quote ?? '')]
  return {
    id: contentId('st', text, evidence),
    text,
    evidence,
    support: isQuotation(text) ? 'stated' : 'paraphrase',
    origin: 'model',
    finding: findingOf(text, said, places, source),
    safety: words.some((each) => riskTopic(each) !== null || mentionsMedication(each)),
    confirmed_at: null,
  }
}

/** Accepts the model's finding only if a speaker other than the therapist said so. */
function findingOf(text: string, said: SaidStatement, places: readonly Place[], source: Source): Statement['finding'] {
  const topic = findingTopic(text)
  const own = places.filter(({ segment }) => !source.isTherapist(segment))
  if (topic === null || said.finding === 'none' || own.length === 0) return null
  const isNegative = isDenied(own, source)
  if (said.finding === 'denied') return isNegative ? { topic, state: 'denied' } : null
  return isNegative ? null : { topic, state: 'stated' }
}

function isQuotation(text: string): boolean {
  const bare = text.replace(/["\u201C][^"\u201D]+["\u201D]/g, '')
  return bare !== text && bare.trim().split(/\s+/).length <= 4
}

/** Replaces "Client 2" with the name used in the note. */
function named(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((so, [label, name]) => so.replaceAll(new RegExp(`\\b${label}\\b`, 'g'), () => name), text)
}
