import { capitalise, restoreCapitals } from './clean.ts'
import { drugIn, mentionsMedication, riskTopic } from './lexicon/topics.ts'
import type { Fact } from './types.ts'
import { numbersIn } from '../text/numbers.ts'
import { textOf } from './quotes.ts'
import { normalise } from '../text/words.ts'

type FactDraft = Omit<Fact, 'finding' | 'must' | 'safety' | 'at' | 'covers' | 'support' | 'person'> &
  Partial<Pick<Fact, 'finding' | 'must' | 'safety' | 'support' | 'person'>> & { readonly covers?: readonly number[] }

export function factOf(draft: FactDraft): Fact {
  const said = draft.spans.map((span) => span.sentence.raw).join(' ')
  const safety =
    draft.safety === true ||
    riskTopic(draft.text) !== null ||
    (draft.kind === 'medication' && mentionsMedication(said)) ||
    drugIn(draft.text) !== null
  const places = draft.spans.map((span) => span.sentence.index)
  return {
    support: 'stated',
    finding: null,
    must: safety,
    person: draft.spans.at(-1)?.sentence.person ?? null,
    ...draft,
    text: ended(draft.text),
    safety,
    at: Math.min(...places),
    covers: new Set([...places, ...(draft.covers ?? [])]),
  }
}

function ended(text: string): string {
  const whole = capitalise(text.trim())
  return /[.?!]$/.test(whole) ? whole : `${whole}.`
}

export const written = (text: string, names: readonly string[]): string =>
  text
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : restoreCapitals(part, names)))
    .join('')

const negation = /\b(?:not|no|never|nobody|nothing|none|without|neither|cannot|nor)\b|n't\b|\bdon't|\bden(?:y|ies|ied)\b/i

export function faultOf(fact: Fact, names: readonly string[]): string | null {
  const source = fact.spans.map(textOf).join(' ')
  const whole = fact.spans.map((span) => span.sentence.raw).join(' ')
  const written = withoutParenthesis(fact.text)
  const own = numbersIn(written)
  const said = numbersIn(whole)
  for (const number of own) if (!said.has(number)) return 'number'
  for (const quote of quotesOf(fact.text))
    if (!fact.spans.some((span) => span.sentence.segment.text.includes(quote))) return 'quote'
  if (
    negation.test(withoutQuotes(written)) &&
    !negation.test(whole) &&
    fact.finding?.state !== 'denied' &&
    !/did not answer|not assessed/i.test(written)
  )
    return 'negation'
  if (
    fact.support === 'paraphrase' &&
    fact.kind !== 'intervention' &&
    negationCount(withoutQuotes(written)) > negationCount(whole)
  )
    return 'negation'
  const drug = drugIn(fact.text)
  if (drug !== null && !normalise(whole).includes(normalise(drug)) && !normalise(source).includes(normalise(drug))) return 'drug'
  if (fact.person !== null && !fact.spans.some((span) => span.sentence.person === fact.person)) return 'speaker'
  const strangers = [...withoutQuotes(written).matchAll(/(?<=[\p{Ll},;:] )\p{Lu}[\p{Ll}'-]+/gu)].map((match) =>
    match[0].replace(/'s$/, ''),
  )
  for (const stranger of strangers)
    if (!names.some((name) => name.split(' ').includes(stranger)) && !normalise(whole).includes(stranger.toLowerCase()))
      return 'name'
  return null
}

export function quotesOf(text: string): string[] {
  if (!text.includes('"')) return []
  return [...text.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '')
}

const withoutQuotes = (text: string): string => text.replace(/"[^"]*"/g, '')

const withoutParenthesis = (text: string): string => text.replace(/\(\d{1,2} \p{Lu}\p{Ll}+\)/gu, '')

const negationCount = (text: string): number =>
  [...text.matchAll(/\b(?:not|no|never|nobody|nothing|none|without|neither|cannot|nor)\b|n't\b/gi)].length
