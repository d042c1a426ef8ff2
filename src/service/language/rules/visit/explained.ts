import { factOf } from '../facts.ts'
import { mentionsMedication } from '../lexicon/medication.ts'
import { wholeSpan } from '../quotes.ts'
import { wordsOf } from '../tokens.ts'
import type { Fact, Sentence } from '../types.ts'
import { lengthScore } from './visit.ts'
import type { Visit } from './visit.ts'
import { bodyOf } from './voice.ts'
import { asWritten } from './written.ts'

const tellsRisks =
  /^(?:(?:some of )?the )?(?:common |main |possible |potential )?(?:risks?|complications|side effects)\b.*\b(?:includ\w+|are|is|of)\b/i

/** What may go wrong with a treatment was explained; it is nobody's finding. A list that only goes on is left out. */
export function explained(visit: Visit, sentence: Sentence, body: string): Fact | null {
  if (!tellsRisks.test(body) || sentence.index < visit.examFrom) return null
  const line = asWritten(body.charAt(0).toLowerCase() + body.slice(1))
  return factOf({
    kind: 'plan',
    topic: 'plan',
    text: `Explained: ${line}`,
    spans: [wholeSpan(sentence)],
    person: visit.clinician,
    support: 'paraphrase',
    safety: mentionsMedication(body),
    score: 1 + lengthScore(wordsOf(body).length),
  })
}

/** "Seizure, stroke, or even death": the list of the sentence before goes on. */
export function isListOfRisks(visit: Visit, sentence: Sentence, body: string): boolean {
  const before = visit.view.room.sentences.slice(Math.max(0, sentence.index - 3), sentence.index)
  return (
    before.some((each) => tellsRisks.test(bodyOf(each.clean))) &&
    /,/.test(body) &&
    !/\b(?:is|are|was|were|will|you|we|i)\b/i.test(body)
  )
}
