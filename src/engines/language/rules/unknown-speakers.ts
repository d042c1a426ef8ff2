import { factOf } from './facts.ts'
import { interestOf, termWeights, topicOf } from './interest.ts'
import { mentionsMedication } from './lexicon/medication.ts'
import { riskTopic } from './lexicon/risk.ts'
import { quotable, quoted } from './quotes.ts'
import { isStale, isUsable } from './session.ts'
import type { SessionView } from './session.ts'
import type { Fact } from './types.ts'

/** Nobody knows who speaks: nothing is reworded, nothing is credited to anyone. */
export function factsOfUnknown(view: SessionView): Fact[] {
  const weights = termWeights(view.room)
  return view.room.sentences.flatMap((sentence) => {
    const risk = riskTopic(sentence.raw)
    if (sentence.isQuestion || (risk === null && (!isUsable(view, sentence) || sentence.isSmallTalk || sentence.isHypothetical)))
      return []
    const span = quotable(sentence, risk === null ? 20 : 32, null)
    if (!span || isStale(view, span) || sentence.isInstruction || sentence.words.length < 4) return []
    return [
      factOf({
        kind: 'client',
        topic: topicOf(sentence.clean),
        text: `Said in session: ${quoted(span)}`,
        spans: [span],
        person: null,
        support: 'stated',
        safety: risk !== null || mentionsMedication(sentence.raw),
        score: interestOf(sentence.clean, sentence.stems, weights),
      }),
    ]
  })
}
