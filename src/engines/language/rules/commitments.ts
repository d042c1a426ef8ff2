import { withoutOpeners } from './clean.ts'
import { factOf } from './facts.ts'
import { rewordFirstPerson } from './gate.ts'
import { mentionsMedication } from './lexicon/medication.ts'
import { planWords, referralWords } from './lexicon/planning.ts'
import { isCleanQuote, lengthOf, quoted, spanOf, textOf } from './quotes.ts'
import type { SessionView } from './session.ts'
import type { Fact, Sentence, Turn } from './types.ts'

const commits =
  /^(?:i'll|i will|i can|i could|i'm going to|i am going to|and i|we'll|we can|we could|i promise|let's say|i'd be willing)\b/i

/** The client's own commitment, always quoted. */
export function fromClient(view: SessionView, turn: Turn, sentence: Sentence): Fact | null {
  if (turn.person.role !== 'client' || sentence.isQuestion || sentence.words.length < 4 || sentence.words.length > 22) return null
  const body = withoutOpeners(sentence.clean)
  const isLate = turn.index > view.room.opening + (view.room.closing - view.room.opening) * 0.6
  const isOwn =
    commits.test(body) ||
    (turn.index >= view.planFrom &&
      (/^(?:if i'm not|not more than|no more than)\b/i.test(body) || answersPlan(view, turn, sentence)))
  const isFuture =
    !/\b(?:was|were|had|did|went|said|couldn't|can't|won't)\b/i.test(body) &&
    !/^(?:i'll|i will|i can|i could) (?:never|be honest|tell|say|see|admit|probably not)\b/i.test(body)
  if (!isLate || !isOwn || !isFuture || !(planWords.test(body) || referralWords.test(body))) return null
  const span = spanOf(sentence)
  const reworded = isCleanQuote(textOf(span)) ? null : rewordFirstPerson(sentence.clean, turn.person)
  if (/\b(?:it|that|them)\b/i.test(body) && sentence.stems.size <= 2) return null
  if ((!isCleanQuote(textOf(span)) && reworded === null) || lengthOf(span) > 20 || /^(?:no|not)\b(?! more)/i.test(sentence.clean))
    return null
  return factOf({
    kind: 'plan',
    topic: 'homework',
    text: reworded ?? `${turn.person.name}: ${quoted(span)}`,
    spans: [span],
    person: turn.person,
    support: reworded === null ? 'stated' : 'paraphrase',
    must: true,
    score: 2.9,
    safety: mentionsMedication(body),
  })
}

/** "Would you do two?" "Two. Tuesday and Friday." */
function answersPlan(view: SessionView, turn: Turn, sentence: Sentence): boolean {
  const before = view.room.turns[turn.index - 1]
  return (
    before?.person.role === 'therapist' &&
    before.sentences.some((each) => each.isQuestion) &&
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.test(sentence.clean)
  )
}
