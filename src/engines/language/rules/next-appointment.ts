import { appointmentDate } from './appointment.ts'
import type { SessionTime } from './appointment.ts'
import { factOf, written } from './facts.ts'
import { homeworkWords, nextSession } from './lexicon/planning.ts'
import { dayOfMonth } from './numbers.ts'
import { quoted, spanOf, wholeSpan } from './quotes.ts'
import type { SessionView } from './session.ts'
import type { Fact, Sentence, Turn } from './types.ts'

/** Only from spoken words: the day, and the date where day and date fit together. */
export function nextOf(
  view: SessionView,
  turn: Turn,
  sentence: Sentence,
  body: string,
  agreed: Sentence | null,
  held: SessionTime | null,
  isInPlan: boolean,
): Fact | null {
  const isNear = turn.index >= view.room.closing - Math.max(8, Math.floor(view.room.turns.length * 0.12))
  if (!isInPlan || !isNear || !nextSession.test(body) || sentence.words.length > 24) return null
  const hasWhen =
    /\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|same time|weeks?|fortnight|month|tomorrow)\b/i.test(body) ||
    dayOfMonth(body) !== null
  const isMeeting =
    /\b(?:see (?:you|each)|can you (?:do|make|come)|meet|speak|back|again|book\w*|appointment|session|same time|next (?:\w+day|time)|weeks)\b/i.test(
      body,
    ) || dayOfMonth(body) !== null
  const isTask = homeworkWords.test(body)
  if (!hasWhen || !isMeeting || isTask) return null
  const when = body.replace(
    /^(?:then |so |and )*(?:we(?:'ll)? (?:see each other|meet|speak|talk)(?: again)?|(?:i'll )?see you(?: both)?(?: again)?|we're back|let's (?:meet|say|speak)(?: again)?|shall we (?:say|meet)(?: again)?|our next (?:session|appointment) is|the next (?:session|appointment|one) is|next (?:session|appointment|time)(?: is|,)?|back|again)(?:,? (?:on|in|at|for)?)?,? ?/i,
    '',
  )
  const named = startOfWhen(when)
  const more = dayOfMonth(body) === null ? sameTurn(turn, sentence) : null
  const date = held === null ? null : appointmentDate(more ? more.clean : body, held)
  const text = `Next appointment: ${more ? `${named}, ${startOfWhen(more.clean.replace(/[.?!]+$/, ''))}` : named === '' ? body : named}${date === null || /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/i.test(body) ? '' : ` (${date})`}`
  if (/\b(?:i|you|me|your)\b/i.test(named))
    return factOf({
      kind: 'next',
      topic: 'next',
      text: `Next appointment, as said: ${quoted(spanOf(sentence))}`,
      spans: [wholeSpan(sentence)],
      person: null,
      support: 'stated',
      must: true,
      score: 3,
    })
  const spans = [wholeSpan(sentence), ...(more ? [wholeSpan(more)] : []), ...(agreed ? [wholeSpan(agreed)] : [])]
  return factOf({
    kind: 'next',
    topic: 'next',
    text: written(text, view.names),
    spans,
    person: null,
    support: 'paraphrase',
    must: true,
    score: 3,
  })
}

const whenWords =
  /\b(?:(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:here )?tomorrow\b|same time\b|next (?:week|month)\b|in (?:a|one|two|three|four|five|six) (?:weeks?|fortnight|months?|days?)\b|a fortnight\b|(?:the )?(?:[a-z]+(?:-| )?)?(?:first|second|third|\w+th)\b(?= (?:at|of)\b|,|$)|the \w+ of \w+)/i

/** From the day on: "none after four, so we speak again on Thursday" is about Thursday. */
function startOfWhen(text: string): string {
  const match = whenWords.exec(text)
  return (match ? text.slice(match.index) : text).replace(
    /,? (?:(?:is that|does that|if that|would that|works? for|okay|all right)\b.*)$/i,
    '',
  )
}

/** "Shall we say a fortnight? That would be the twentieth, at six." */
export function sameTurn(turn: Turn, sentence: Sentence): Sentence | null {
  const next = turn.sentences.find((each) => each.index === sentence.index + 1)
  return next && /^(?:that|which|so)\b/i.test(next.clean) && dayOfMonth(next.clean) !== null && next.words.length <= 12
    ? next
    : null
}
