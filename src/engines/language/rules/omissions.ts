import type { Omission } from '#contract/model/note.ts'
import { changeTalk } from './lexicon/life.ts'
import { mentionsMedication, substanceTopic } from './lexicon/medication.ts'
import { planWords } from './lexicon/planning.ts'
import { riskTopic } from './lexicon/risk.ts'
import { quoted, spanOf, contentId, evidenceOf } from './quotes.ts'
import { hasStale } from './session.ts'
import type { SessionView } from './session.ts'
import { contentStems, shareOf, wordsOf } from '../text/words.ts'
import type { Fact, Sentence } from './types.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'

const MAX_OTHERS = 12
/** "What did you say the dose was": a question, even without a question mark. */
const asksBack =
  /^(?:(?:so|and|but|well|okay|sorry|wait|um|oh|yeah|no)[, ]+)*(?:what|how|when|where|which|who|why)(?: \w+){0,3}? (?:did|do|does|was|is|were|are|should|would|can|could|have|has) (?:you|i|it|that|we|they|he|she|the|my|your|this)\b/i

/** Said but not cited: risk, medication, substances, goals and homework, then the best facts that did not fit. */
export function omissionsOf(view: SessionView, chosen: readonly Fact[], left: readonly Fact[]): Omission[] {
  const cited = new Set(chosen.flatMap((fact) => [...fact.covers, ...fact.spans.map((span) => span.sentence.index)]))
  const inDraft = contentStems(wordsOf(chosen.map((fact) => fact.text).join(' ')))
  const omissions: Omission[] = []
  const mentioned = new Set<number>()
  const ranked = left.filter((fact) => fact.score >= 0.9 || fact.must)
  for (const sentence of view.room.sentences) {
    if (cited.has(sentence.index)) continue
    const kind = kindOf(view, sentence)
    if (kind === null || (kind !== 'risk' && sentence.stems.size > 0 && shareOf(sentence.stems, inDraft) >= 0.99)) continue
    mentioned.add(sentence.index)
    omissions.push(
      omission(
        kind,
        `${sentence.person.role === 'therapist' ? 'Therapist' : sentence.person.name} said ${quoted(spanOf(sentence))}`,
        evidenceOf([spanOf(sentence)]),
      ),
    )
  }
  const others = ranked.filter(
    (fact) =>
      fact.kind !== 'intervention' &&
      ![...fact.spans].every((span) => cited.has(span.sentence.index) || mentioned.has(span.sentence.index)),
  )
  for (const fact of others.slice(0, MAX_OTHERS)) {
    omissions.push(
      omission(
        fact.kind === 'plan' ? 'homework' : fact.kind === 'medication' ? 'medication' : 'other',
        fact.text,
        evidenceOf(fact.spans),
      ),
    )
  }
  const seen = new Set<string>()
  return omissions.filter((each) => !seen.has(each.id) && seen.add(each.id)).slice(0, 500)
}

function kindOf(view: SessionView, sentence: Sentence): Omission['kind'] | null {
  if (sentence.turn < view.room.opening) return riskTopic(sentence.raw) && sentence.person.role !== 'therapist' ? 'risk' : null
  const isClient = sentence.person.role !== 'therapist'
  if (isClient && riskTopic(sentence.raw) !== null) return 'risk'
  if (
    sentence.isInstruction ||
    sentence.isQuestion ||
    asksBack.test(sentence.clean) ||
    sentence.isHumour ||
    sentence.turn > view.room.closing ||
    hasStale(view, sentence) ||
    sentence.words.length < 3
  )
    return null
  if (isClient && mentionsMedication(sentence.raw)) return 'medication'
  if (sentence.isReported && /\byou(?:'re|'ve)?\b/i.test(sentence.clean)) return null
  if (isClient && substanceTopic(sentence.clean) !== null) return 'substance'
  if (isClient && changeTalk.test(sentence.clean) && !sentence.isHypothetical && sentence.words.length >= 5) return 'goal'
  if (sentence.turn >= view.planFrom && planWords.test(sentence.clean) && sentence.words.length >= 5 && !sentence.isSmallTalk)
    return 'homework'
  return null
}

function omission(kind: Omission['kind'], whole: string, evidence: Omission['evidence']): Omission {
  const text = cutText(whole, MAX_PARAGRAPH)
  return { id: contentId('om', `${kind}:${text}`, evidence), kind, text, evidence, decision: 'open' }
}
