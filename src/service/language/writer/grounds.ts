import { interventionKinds } from '../rules/lexicon/interventions.ts'
import { drugIn, mentionsMedication } from '../rules/lexicon/medication.ts'
import { riskTopic } from '../rules/lexicon/risk.ts'
import { substanceTopic } from '../rules/lexicon/substances.ts'
import { symptomTopic } from '../rules/lexicon/symptoms.ts'
import { numbersIn } from '../rules/numbers.ts'
import { contentStems, normalise, shareOf, wordsOf } from '../rules/tokens.ts'
import type { Place } from './locate.ts'
import type { Source } from './source.ts'

const negation = /\b(?:not|no|never|nobody|nothing|none|without|neither|cannot|nor|nope|nah)\b|n[\u2019']t\b/i
const denies = /\bden(?:y|ies|ied|ying)\b|\breport(?:s|ed)? no\b/i
/** What is seen and not said; a transcript cannot show it. */
const observed =
  /\b(?:affect|eye contact|orient(?:ed|ation)|well[- ]groomed|grooming|appear(?:s|ed|ance)|tearful|insight|judge?ment|psychomotor|thought process\w*|euthymic|dysphoric|alert|cooperative)\b/gi
const diagnoses =
  /\b(?:diagnos\w*|disorder|syndrome|bipolar|schizo\w*|ptsd|adhd|ocd|borderline|psychosis|psychotic|dementia|dysthymia|mania|manic)\b/gi
/** Words a note is written with, which nobody needs to have said. */
const noteWords =
  /\b(?:client|therapist|patient|clinician|session|reports?|reported|stat(?:es|ed)|says?|said|descri\w+|discuss\w*|den(?:y|ies|ied)|agree[sd]?|not(?:es|ed)|identif\w+|explor\w+|express\w*|experienc\w*|continue[sd]?|current\w*|history|symptoms?|use[sd]?|using|provided|review\w*|ask(?:s|ed)|plans?|planned|person|other)\b/gi
/** "Client 2" is nobody's number. */
const voiceNumber = /\b(client|other person|unknown voice|therapist) \d+\b/gi
const fewestShared = 0.2

export interface Claim {
  readonly text: string
  readonly finding: 'stated' | 'denied' | 'none'
}

/**
 * Why a statement may not stand, or null. It comes before the checker that looks at every draft alike, and throws out
 * what a model adds to the words it cites.
 */
export function faultOf({ text, finding }: Claim, places: readonly Place[], source: Source): string | null {
  if (places.length === 0) return 'Nothing said bears it out.'
  const said = source.around(places)
  const plain = normalise(said)
  for (const [, quote] of text.matchAll(/["\u201C]([^"\u201D]+)["\u201D]/g))
    if (!plain.replaceAll(/\s+/g, ' ').includes(normalise(quote ?? '').replace(/[.,!?]+$/, '')))
      return 'A quotation in it was not said.'
  const heard = numbersIn(said)
  for (const number of numbersIn(text.replaceAll(voiceNumber, '$1')))
    if (!heard.has(number)) return 'A number in it was not said there.'
  for (const [word] of text.matchAll(diagnoses)) if (!plain.includes(normalise(word))) return 'Nobody named that diagnosis.'
  for (const [word] of text.matchAll(observed)) if (!plain.includes(normalise(word))) return 'Words do not show that.'
  const drug = drugIn(text)
  if (drug !== null && !plain.includes(normalise(drug))) return 'That medicine was not named there.'
  if (mentionsMedication(text) && !mentionsMedication(said)) return 'No medicine was spoken of there.'
  if (riskTopic(text) !== null && riskTopic(said) === null) return 'That risk was not spoken of there.'
  if (substanceTopic(text) !== null && substanceTopic(said) === null) return 'That substance was not spoken of there.'
  if ((finding === 'denied' || denies.test(text)) && !isDenied(places, source)) return 'Nobody denied that there.'
  return isNearTo(text, said) ? null : 'Its words are not those of its source.'
}

export function isDenied(places: readonly Place[], source: Source): boolean {
  return places.some(
    ({ segment, from, to }) => !source.isTherapist(segment) && negation.test(sentenceAround(segment.text, from, to)),
  )
}

function sentenceAround(text: string, from: number, to: number): string {
  const start = Math.max(text.lastIndexOf('.', from - 1), text.lastIndexOf('?', from - 1), text.lastIndexOf('!', from - 1)) + 1
  const end = text.slice(to).search(/[.?!]/)
  return text.slice(start, end < 0 ? text.length : to + end)
}

/** Reworded or not, a statement shares words with its source, or names the same matter or method. */
function isNearTo(text: string, said: string): boolean {
  const own = contentStems(wordsOf(text.replaceAll(noteWords, ' ')))
  if (own.size === 0) return true
  if (shareOf(own, contentStems(wordsOf(said))) >= fewestShared) return true
  const matters = [symptomTopic, substanceTopic, riskTopic]
  return (
    matters.some((matter) => matter(text) !== null && matter(text) === matter(said)) ||
    interventionKinds.some(({ pattern, name }) => pattern.test(said) && shareOf(contentStems(wordsOf(name)), own) > 0)
  )
}
