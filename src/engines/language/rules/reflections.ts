import { agreementWith } from './answers.ts'
import { withoutOpeners } from './clean.ts'
import { factOf, written } from './facts.ts'
import { rewordSecondPerson } from './gate.ts'
import { lacksVerb } from './labels.ts'
import { planWords } from './lexicon/signs.ts'
import { isCleanQuote, lengthOf, quotable, quoted, spanOf, textOf, wholeSpan } from './quotes.ts'
import { groundBefore, isSound, isUsable, stemsOf, type SessionView } from './session.ts'
import { shareOf, wordsOf } from '../text/words.ts'
import type { Fact, Person, Sentence, Span, Turn } from './types.ts'

export const reflectionFrame =
  /^(?:what (?:i|i'm|i am|i'd|i've) (?:notice|noticing|see|seeing|hear|hearing|say|been hearing|noticed|heard|understand|think i(?:'m)? hear(?:ing)?|take from (?:this|that|today))\b(?: is| here is| from you is)?,?(?: is)?(?: that)?,?|(?:it |that |this )?(?:really )?sounds (?:to me )?(?:like|as if|as though)|i(?:'m| am) (?:hearing|noticing|struck (?:by|that))(?: that)?|it (?:seems|looks) (?:to me )?(?:like|that|as if|as though)|i (?:notice|hear|see) (?:that|you|how)|my sense is(?: that)?|so far(?:,| you've)|let me see if i(?:'ve| have)(?: got)? (?:this|it|that)(?: right)?|if i (?:sum|put) (?:it|that|this|all that) (?:up|together)|to sum(?:marise|marize)?(?: up)?|in summary|summing up|the pattern (?:is|seems|i see)|so the picture is|looking back (?:on|at|over)|the way i see it,?|let me (?:say|tell you) what (?:i've|i) (?:have )?(?:heard|understood|got))\s*/i

const remindsOf = /^(?:you (?:remember|know) (?:what|that|how) (?:we|i)|remember|as (?:i|we) said|last time|thank)\b/i
const keepsYou = /^i (?:notice|hear|see) (?=you|how)|^so far,? (?=you)/i

export function factsOfReflections(view: SessionView): Fact[] {
  const facts: Fact[] = []
  for (const turn of view.room.turns.slice(view.room.opening, view.room.closing + 1)) {
    if (turn.person.role !== 'therapist') continue
    const from = turn.sentences.findIndex((sentence) => reflectionFrame.test(withoutOpeners(sentence.clean)))
    if (from >= 0) facts.push(...framed(view, turn, from))
    else facts.push(...summing(view, turn))
  }
  return facts
}

function framed(view: SessionView, turn: Turn, from: number): Fact[] {
  const parts = turn.sentences
    .slice(from)
    .filter((sentence) => !sentence.isQuestion && isSound(view, sentence) && !remindsOf.test(withoutOpeners(sentence.clean)))
  const total = parts.reduce((sum, sentence) => sum + sentence.words.length, 0)
  const isLong = total >= 12
  const groups: Sentence[][] = []
  let words = 0
  for (const part of parts) {
    const last = groups.at(-1)
    words += part.words.length
    if (last && words <= 48) last.push(part)
    else {
      groups.push([part])
      words = part.words.length
    }
  }
  return groups.flatMap((group, order) =>
    noted(view, turn, group, order === groups.length - 1, isLong ? 3.6 - order * 0.1 : 1.4, isLong),
  )
}

function summing(view: SessionView, turn: Turn): Fact[] {
  const late = turn.index > view.room.opening + (view.room.closing - view.room.opening) * 0.5
  return turn.sentences.flatMap((sentence, order) => {
    const body = withoutOpeners(sentence.clean)
    const speaksToClient =
      /\b(?:you|you've|you're|your)\b/i.test(body) &&
      !view.room.people.some((each) => new RegExp(`^${each.name}, (?!you)`, 'i').test(body)) &&
      !/^(?:i|i'd|i'll|let's|we|could|would|if|when|try|you(?:'ll| could| should| might| can| need| will))\b/i.test(body)
    if (!late || sentence.isQuestion || !speaksToClient || sentence.words.length < 12 || !isSound(view, sentence)) return []
    const coverage = shareOf(sentence.stems, stemsOf(groundBefore(view, turn.index, 60)))
    const agreement = agreementWith(view, turn, sentence)
    if (
      coverage < 0.4 ||
      agreement.state === 'objected' ||
      (turn.index >= view.planFrom && planWords.test(body) && sentence.words.length < 18)
    )
      return []
    if (/^so\b/i.test(sentence.clean) && coverage >= 0.7) return []
    return noted(view, turn, [sentence], order === turn.sentences.length - 1, 1.6, false)
  })
}

function noted(view: SessionView, turn: Turn, group: readonly Sentence[], isLast: boolean, score: number, must: boolean): Fact[] {
  const last = group.at(-1)
  if (!last) return []
  const agreement = agreementWith(view, turn, last)
  const parts = group.flatMap((sentence) => partOf(view, sentence, agreement.person) ?? [])
  const [first] = parts
  if (!first || parts.every((part) => wordsOf(part.text).length < 4)) return []
  const spans: Span[] = parts.map((part) => wholeSpan(part.sentence))
  const body = parts.map((part) => part.text).join('; ')
  const quotedWords = parts.filter((part) => part.isQuote).reduce((sum, part) => sum + wordsOf(part.text).length, 0)
  if (quotedWords > 0 && parts.every((part) => part.isQuote) && quotedWords < 8) return []
  const lead = first.isQuote ? `Therapist said: ${body}` : `Therapist noted that ${body}`
  const response =
    isLast && agreement.state === 'agreed' && agreement.sentence ? agreementTail(view, agreement.person, turn, spans) : ''
  return [
    factOf({
      kind: 'reflection',
      topic: 'assessment',
      text: `${lead}${response}`,
      spans,
      person: turn.person,
      support: parts.some((part) => part.isQuote) ? 'stated' : 'paraphrase',
      score,
      must,
    }),
  ]
}

function partOf(view: SessionView, sentence: Sentence, replying: Person | null) {
  const body = withoutOpeners(sentence.clean)
  const [client = null, ...others] = view.room.clients
  const named = view.room.clients.find((person) => new RegExp(`^${person.name},? (?=you|your)`, 'i').test(body))
  const person = named ?? (others.length === 0 ? client : null) ?? (/\byou/i.test(body) ? null : replying)
  const unvocative = named ? body.slice(named.name.length).replace(/^[,\s]+/, '') : body
  const unframed = keepsYou.test(unvocative)
    ? unvocative.replace(/^(?:i (?:notice|hear|see)|so far,?) /i, '')
    : unvocative.replace(reflectionFrame, '')
  if (wordsOf(unframed).length < 2 || (wordsOf(unframed).length < 8 && lacksVerb(wordsOf(unframed)))) return null
  const text = person
    ? rewordSecondPerson(unframed, person)
    : /\byou/i.test(unframed) || view.room.clients.length > 1
      ? null
      : unframed
  if (text !== null) return { sentence, text: written(text, view.names), isQuote: false }
  const span = quotedPart(sentence)
  return span === null ? null : { sentence, text: span, isQuote: true }
}

function quotedPart(sentence: Sentence): string | null {
  const whole = spanOf(sentence)
  const span = isCleanQuote(whole) ? whole : (quotable(sentence, 24, null) ?? whole)
  const frame = reflectionFrame.exec(textOf(span))?.[0].length ?? 0
  const rest = frame > 0 && !keepsYou.test(textOf(span)) ? { ...span, from: span.from + frame } : span
  return lengthOf(rest) <= 45 && lengthOf(rest) >= 4 && isCleanQuote(rest) ? quoted(rest) : null
}

function agreementTail(view: SessionView, person: Person | null, turn: Turn, spans: Span[]): string {
  const reply = view.room.turns[turn.index + 1]
  const first = reply?.sentences[0]
  if (!person || !reply || !first) return ''
  spans.push(wholeSpan(first))
  const said = reply.sentences
    .map(spanOf)
    .find(
      (span) =>
        isUsable(view, span.sentence) &&
        !span.sentence.isQuestion &&
        lengthOf(span) >= 3 &&
        lengthOf(span) <= 12 &&
        isCleanQuote(span) &&
        span.sentence.stems.size > 0,
    )
  if (!said) return `; ${person.name} agreed`
  spans.push(said)
  return `; ${person.name} agreed: ${quoted(said)}`
}
