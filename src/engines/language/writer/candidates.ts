import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Statement } from '#contract/model/note.ts'
import { evidenceAt } from '../rules/quotes.ts'
import { statementOf as newStatement } from '../rules/statements.ts'
import { mentionsMedication, drugIn, substanceTopic, riskTopic, symptomTopic } from '../rules/lexicon/topics.ts'
import { findingTopic } from '../rules/questions.ts'
import type { SaidDraft, SaidStatement } from './ask.ts'
import { locate, type Source, type Place } from './source.ts'
import { interventionKinds } from '../rules/lexicon/interventions.ts'
import { numbersIn } from '../text/numbers.ts'
import { contentStems, normalise, shareOf, wordsOf } from '../text/words.ts'

export interface Candidate {
  readonly key: string
  readonly statement: Statement
  readonly at: number
}

const anotherMember = 'it is about another member of the group'
const MAX_TEXT = 1200
const MAX_EVIDENCE = 6

export function sift(draft: SaidDraft, source: Source, names: ReadonlyMap<string, string>) {
  const candidates: Candidate[] = []
  const unsupported: { text: string; reason: string }[] = []
  for (const { key, statements } of draft.sections) {
    for (const said of statements) {
      const text = named(said.text.replace(/\s+/g, ' ').trim(), names)
      if (text === '') continue
      const places = placesOf(said, source)
      const isKept = source.keeps(text, places)
      const fault = text.length > MAX_TEXT ? 'it is too long to be checked' : faultOf({ ...said, text }, places, source)
      const reason = fault ?? (isKept ? null : anotherMember)
      if (reason === null) {
        const at = Math.min(...places.map(({ segment }) => source.segments.indexOf(segment)))
        candidates.push({ key, statement: statementOf(text, said, places, source), at })
      } else if (isKept && (source.member?.holdsNothingOfOthers(text) ?? true))
        unsupported.push({ text: cutText(text, MAX_PARAGRAPH), reason })
    }
  }
  return { candidates, unsupported }
}

const placesOf = (said: SaidStatement, source: Source): Place[] =>
  said.evidence
    .slice(0, MAX_EVIDENCE)
    .flatMap(({ segment, quote }) => locate(quote, Math.round(segment), source.segments))
    .filter((place) => !source.isToWriter(place))

function statementOf(text: string, said: SaidStatement, places: readonly Place[], source: Source): Statement {
  const seen = new Set<string>()
  const evidence = places
    .map(({ segment, from, to }) => evidenceAt(segment, { from, to }))
    .filter((each) => !seen.has(`${each.segment_id} ${each.quote}`) && seen.add(`${each.segment_id} ${each.quote}`))
  const words = [text, ...evidence.map(({ quote }) => quote ?? '')]
  return newStatement(text, {
    evidence,
    support: isQuotation(text) ? 'stated' : 'paraphrase',
    origin: 'model',
    finding: findingOf(text, said, places, source),
    safety: words.some((each) => riskTopic(each) !== null || mentionsMedication(each)),
  })
}

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

const named = (text: string, names: ReadonlyMap<string, string>): string =>
  [...names].reduce((so, [label, name]) => so.replaceAll(new RegExp(`\\b${label}\\b`, 'g'), () => name), text)

const negation = /\b(?:not|no|never|nobody|nothing|none|without|neither|cannot|nor|nope|nah)\b|n[\u2019']t\b/i
const denies = /\bden(?:y|ies|ied|ying)\b|\breport(?:s|ed)? no\b/i
const observed =
  /\b(?:affect|eye contact|orient(?:ed|ation)|well[- ]groomed|grooming|appear(?:s|ed|ance)|tearful|insight|judge?ment|psychomotor|thought process\w*|euthymic|dysphoric|alert|cooperative)\b/gi
const diagnoses =
  /\b(?:diagnos\w*|disorder|syndrome|bipolar|schizo\w*|ptsd|adhd|ocd|borderline|psychosis|psychotic|dementia|dysthymia|mania|manic)\b/gi
const noteWords =
  /\b(?:client|therapist|patient|clinician|session|reports?|reported|stat(?:es|ed)|says?|said|descri\w+|discuss\w*|den(?:y|ies|ied)|agree[sd]?|not(?:es|ed)|identif\w+|explor\w+|express\w*|experienc\w*|continue[sd]?|current\w*|history|symptoms?|use[sd]?|using|provided|review\w*|ask(?:s|ed)|plans?|planned|person|other)\b/gi
/** "Client 2" is a label, not a number anyone said. */
const voiceNumber = /\b(client|other person|unknown voice|therapist) \d+\b/gi
const MIN_SHARED = 0.2
/** A statement with a smaller share of words from its source may mention medication, risks, or substances only if that does. */
const ENOUGH_FOR_MATTERS = 0.34

function faultOf(
  { text, finding }: Pick<SaidStatement, 'text' | 'finding'>,
  places: readonly Place[],
  source: Source,
): string | null {
  if (places.length === 0) return 'nothing said bears it out'
  const said = source.around(places)
  const plain = normalise(said)
  for (const [, quote] of text.matchAll(/["\u201C]([^"\u201D]+)["\u201D]/g))
    if (!plain.replaceAll(/\s+/g, ' ').includes(normalise(quote ?? '').replace(/[.,!?]+$/, '')))
      return 'a quotation in it was not said'
  for (const [word] of text.matchAll(diagnoses)) if (!plain.includes(normalise(word))) return 'nobody named that diagnosis'
  for (const [word] of text.matchAll(observed)) if (!plain.includes(normalise(word))) return 'words do not show that'
  const drug = drugIn(text)
  if (drug !== null && !plain.includes(normalise(drug))) return 'that medicine was not named there'
  const share = shareOfWords(text, said)
  if (share < ENOUGH_FOR_MATTERS) {
    if (mentionsMedication(text) && !mentionsMedication(said)) return 'no medicine was spoken of there'
    if (riskTopic(text) !== null && riskTopic(said) === null) return 'that risk was not spoken of there'
    if (substanceTopic(text) !== null && substanceTopic(said) === null) return 'that substance was not spoken of there'
  }
  if ((finding === 'denied' || denies.test(text)) && !isDenied(places, source)) return 'nobody denied that there'
  return share >= MIN_SHARED || isOfTheSameMatter(text, said) ? null : 'its words are not those of its source'
}

const isDenied = (places: readonly Place[], source: Source): boolean =>
  places.some(({ segment, from, to }) => !source.isTherapist(segment) && negation.test(sentenceAround(segment.text, from, to)))

function sentenceAround(text: string, from: number, to: number): string {
  const start = Math.max(text.lastIndexOf('.', from - 1), text.lastIndexOf('?', from - 1), text.lastIndexOf('!', from - 1)) + 1
  const end = text.slice(to).search(/[.?!]/)
  return text.slice(start, end < 0 ? text.length : to + end)
}

function shareOfWords(text: string, said: string): number {
  const own = text.replaceAll(noteWords, ' ').replaceAll(voiceNumber, '$1')
  const words = contentStems(wordsOf(own.replaceAll(/\d+/g, ' ')))
  const numbers = numbersIn(own)
  const heard = contentStems(wordsOf(said))
  const heardNumbers = numbersIn(said)
  const shared =
    [...words].filter((word) => heard.has(word)).length + [...numbers].filter((each) => heardNumbers.has(each)).length
  return words.size + numbers.size === 0 ? 1 : shared / (words.size + numbers.size)
}

function isOfTheSameMatter(text: string, said: string): boolean {
  const matters = [symptomTopic, substanceTopic, riskTopic]
  const own = contentStems(wordsOf(text))
  return (
    matters.some((matter) => matter(text) !== null && matter(text) === matter(said)) ||
    interventionKinds.some(({ pattern, name }) => pattern.test(said) && shareOf(contentStems(wordsOf(name)), own) > 0)
  )
}
