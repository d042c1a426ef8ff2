import { answerOf, type Exchange } from './answers.ts'
import { factOf } from './facts.ts'
import { riskTopic, riskTopics } from './lexicon/topics.ts'
import { askedPhrase, findingTopic, type Question } from './questions.ts'
import { isCleanQuote, lengthOf, listOfQuotes, questionSpan, quoted, spanOf, textOf, trimSpan, wholeSpan } from './quotes.ts'
import { isStale, isUsable, type SessionView } from './session.ts'
import { shareOf, stemsIn } from '../text/words.ts'
import type { Fact, Sentence, Span, Turn } from './types.ts'

/** Questions about something good, such as "Are you safe?". A "no" to such a question does not deny a problem. */
export const asksAfterGood =
  /\b(?:are|do|did|have|were) you (?:still |feel |felt |been |feeling )*(?:safe|able|well|okay|all right|happy|enjoy\w*|manag\w*|(?:sleeping|eating) (?:all right|well|okay|enough))\b/i

export function answersSomethingElse(question: Question, reply: Turn): boolean {
  const first = reply.sentences[0]
  const own = /^\W*i(?:'m| am)? (do|did|have|was|am|can|could|would|not)(?:n't| not)?\b/i.exec(first?.clean ?? '')
  if (!first || !own || first.stems.size < 2) return false
  const asking = /^(?:.*, )?(do|did|have|are|were|can|could|would)\b/i.exec(question.body)?.[1]?.toLowerCase()
  if (asking === undefined || shareOf(first.stems, question.sentence.stems) >= 0.3) return false
  const said = (own[1] ?? '').toLowerCase()
  const family = (word: string): string =>
    /^(?:do|did)$/.test(word) ? 'do' : /^(?:are|were|was|am|not)$/.test(word) ? 'be' : word
  return family(said) !== family(asking)
}

export function denial(view: SessionView, exchange: Exchange, topic: string): Fact {
  const { question } = exchange
  const denying = exchange.replies.filter((reply, order) => order === 0 || answerOf(reply.sentences) === 'no')
  const people = denying.map((reply) => reply.person)
  const [first] = people
  const subject = people.map((person) => person.name).join(' and ')
  const verb = people.length > 1 ? 'deny' : 'denies'
  const plain = first ? askedPhrase(question, first) : null
  const phrase = people.length === 1 || !/\b(?:their|they|them)\b/.test(plain ?? '') ? plain : null
  const asking = questionSpan(question.sentence)
  const text = phrase === null ? `Asked ${quoted(asking)}, ${subject} said no` : `${subject} ${verb} ${phrase}`
  const spans = [wholeSpan(question.sentence)]
  const added: Span[] = []
  for (const reply of denying) {
    const [answer, ...rest] = reply.sentences
    if (answer) spans.push(wholeSpan(answer))
    if (denying.length === 1) added.push(...addedTo(view, reply, rest, question.sentence))
  }
  spans.push(...added)
  return factOf({
    kind: 'finding',
    topic,
    text:
      added.length === 0 ? text : phrase === null ? `${text}: ${listOfQuotes(added)}` : `${text}; said ${listOfQuotes(added)}`,
    spans,
    person: first ?? null,
    finding: { topic, state: 'denied' },
    safety: isSafetyTopic(topic) || followsRisk(view, exchange),
    must: true,
    score: 4,
  })
}

const safetyTopics = new Set([...riskTopics, 'medication'])

export const isSafetyTopic = (topic: string): boolean => safetyTopics.has(topic)

function addedTo(view: SessionView, reply: Turn, rest: readonly Sentence[], asking: Sentence): Span[] {
  const [answer] = reply.sentences
  const own = answer && /^\W*(?:no|never|not at all)\b[,. ]+\p{L}/iu.test(answer.raw) ? [answer] : []
  return [...own, ...rest]
    .map((sentence) => {
      const no = /^\W*(?:(?:no|never|god|not at all)\b[,.!\s]*)+/i.exec(sentence.raw)?.[0] ?? ''
      return trimSpan({ ...spanOf(sentence), from: sentence.from + no.length })
    })
    .filter((span) => {
      const text = textOf(span)
      const stems = stemsIn(text)
      return (
        span.to - span.from > 3 &&
        isUsable(view, span.sentence) &&
        !isStale(view, span) &&
        stems.size >= 1 &&
        shareOf(stems, asking.stems) < 0.7 &&
        lengthOf(span) <= 14 &&
        lengthOf(span) >= 3 &&
        isCleanQuote(span) &&
        !/^(?:nothing|none|not|never|no|just that|that's|it's|it was)\b/i.test(text)
      )
    })
    .slice(0, 2)
}

export function followsRisk(view: SessionView, exchange: Exchange): boolean {
  if (asksOn.test(exchange.question.body)) return toldOfHarm(view, exchange.turn.index)
  if (!/\b(?:it|that|this|those|them)\b/i.test(exchange.question.body) || !exchange.question.isYesNo) return false
  const before = view.room.turns.slice(Math.max(0, exchange.turn.index - 3), exchange.turn.index)
  return before.some(
    (turn) =>
      turn.person.role === 'therapist' &&
      turn.sentences.some(
        (sentence) =>
          sentence.isQuestion && (riskTopic(sentence.clean) !== null || findingTopic(sentence.clean) === 'plan or intent'),
      ),
  )
}

const asksOn =
  /^(?:what did you (?:use|do|take)|how (?:deep|bad|often|many times|close|did you do)|when (?:was (?:that|it)|did (?:that|it|you))|was that the (?:only|first|last)|what (?:stopped|happened)|did (?:it|you) need)\b/i

const toldOfHarm = (view: SessionView, turn: number): boolean =>
  view.room.turns
    .slice(Math.max(0, turn - 4), turn)
    .some(
      (earlier) =>
        earlier.person.role === 'client' &&
        earlier.sentences.some((sentence) =>
          /^(?:suicidal thoughts|self-harm|harm to others)$/.test(riskTopic(sentence.raw) ?? ''),
        ),
    )
