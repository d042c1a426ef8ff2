import { denial } from '../denials.ts'
import { answerOf } from '../answers.ts'
import { capitalise } from '../clean.ts'
import type { Exchange } from '../exchanges.ts'
import { factOf, written } from '../facts.ts'
import { rewordFirstPerson } from '../gate.ts'
import { mentionsMedication } from '../lexicon/medication.ts'
import { numbersIn } from '../numbers.ts'
import { askedPhrase, findingTopic } from '../questions.ts'
import { isCleanQuote, lengthOf, questionSpan, quoted, spanOf, textOf, wholeSpan } from '../quotes.ts'
import { hasStale, isStale } from '../session.ts'
import { wordsOf } from '../tokens.ts'
import type { Fact, Sentence } from '../types.ts'
import { openEnd } from './clinician.ts'
import type { Visit } from './visit.ts'
import { background, bodyParts, bodySymptoms, clinicalWeight, conditions } from './lexicon.ts'
import { visitRisk } from './risk.ts'
import { asWritten } from './written.ts'

/** What the patient tells: reworded where the gate lets it through, quoted where it is short and clean, else left out. */
export function factsOfPatient(visit: Visit): Fact[] {
  return visit.view.room.sentences.flatMap((sentence) => {
    if (sentence.person.role === 'therapist' || sentence.isQuestion || sentence.isInstruction || sentence.isHumour) return []
    if (visitRisk(sentence.raw) !== null || hasStale(visit.view, sentence)) return []
    if (sentence.isSmallTalk && clinicalWeight(sentence.clean) === 0) return []
    const fact = told(visit, sentence)
    return fact ? [fact] : []
  })
}

/** "I am, every morning": says yes to a question and nothing by itself. */
const bareAnswer =
  /\bwould say\b|\bi (?:have|had|was) (?:they|he|she|we|when|since|before|because|if)\b|^(?:(?:yes|yeah|no|well|um|uh|okay)[, ]+)*i (?:am|do|did|was|will|can|could|would|haven't|don't|didn't)(?:,| (?:every|at|on|in|once|twice|just|most|not|still|all|the|a|too|as|for|so|and|but|when|because|yes|no)\b|$)/i

function told(visit: Visit, sentence: Sentence): Fact | null {
  const weight = clinicalWeight(sentence.clean) + (mentionsMedication(sentence.clean) ? 1 : 0)
  const length = sentence.words.length
  if (length < 4 || openEnd.test(sentence.clean) || bareAnswer.test(sentence.clean)) return null
  const isClient = sentence.person.role === 'client'
  const reworded = isClient && !sentence.isHypothetical ? rewordFirstPerson(sentence.clean, sentence.person) : null
  const span = spanOf(sentence)
  if (reworded === null && (lengthOf(span) > 22 || lengthOf(span) < 4 || !isCleanQuote(textOf(span)) || weight === 0)) return null
  const text = reworded === null ? `${sentence.person.name} said ${quoted(span)}` : asWritten(written(reworded, visit.view.names))
  const isEarly = sentence.index < visit.examFrom
  return factOf({
    kind: isClient ? 'client' : 'collateral',
    topic: mentionsMedication(sentence.clean) ? 'medication' : 'told',
    text,
    spans: [span],
    person: sentence.person,
    support: reworded === null ? 'stated' : 'paraphrase',
    must: false,
    safety: mentionsMedication(sentence.clean),
    score:
      (weight === 0 ? -0.2 : 0.3) +
      0.45 * Math.min(weight, 3) +
      (numbersIn(sentence.clean).size > 0 ? 0.4 : 0) +
      (background.test(sentence.clean) ? 0.3 : 0) +
      (isEarly ? 0.3 : -0.5) +
      (reworded === null ? -0.6 : 0.2) +
      (length < 6 ? -0.3 : 0) -
      (/^(?:it|it's|that|that's|this|they|he|she)\b/i.test(textOf(span)) ? 0.4 : 0),
  })
}

/** Questions with their answers: a symptom asked about and plainly denied or affirmed, and short answers with what was asked. */
export function factsOfQuestions(visit: Visit, exchanges: readonly Exchange[]): Fact[] {
  return exchanges.flatMap((exchange) => {
    const { question, replies } = exchange
    const [reply] = replies
    if (!reply || question.isCourtesy || question.sentence.isHumour || hasStale(visit.view, question.sentence)) return []
    const topic = findingTopic(question.body) ?? symptomOf(question.body)
    if (topic === null || /\bquestions\b/i.test(question.body)) return []
    const answer = answerOf(reply.sentences)
    const isPlain = (question.isYesNo || isListOfSymptoms(question.body)) && !question.isEitherOr && !question.isNegative
    if (isPlain && answer === 'no') {
      return [denied(visit, exchange, topic)]
    }
    if (isPlain && answer === 'yes') {
      const fact = confirmed(visit, exchange, topic)
      if (fact) return [fact]
    }
    return answered(visit, exchange, topic)
  })
}

/** "Nausea or vomiting, diarrhea?" */
function isListOfSymptoms(body: string): boolean {
  const names = wordsOf(body).filter((word) => !/^(?:or|and|any|no|like|other|kind|of|in|your|the|a)$/.test(word))
  return (
    names.length > 0 &&
    names.length <= 8 &&
    names.every((name) => bodySymptoms.test(name) || bodyParts.test(name) || conditions.test(name))
  )
}

function denied(visit: Visit, exchange: Exchange, topic: string): Fact {
  const fact = denial(visit.view, exchange, topic)
  const name = fact.person?.name ?? visit.patient.name
  const listed = isListOfSymptoms(exchange.question.body)
    ? `${name} denies ${lowerStart(exchange.question.body.replace(/^(?:and|or|no) /i, ''))}.`
    : fact.text
  const text = asWritten(capitalise(listed)).replace(/[\s,–—-]+\.$/, '.')
  return { ...fact, text, must: fact.safety, score: 2.2 - Math.max(0, wordsOf(text).length - 16) * 0.1 }
}

function lowerStart(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** "Any chest pain?" "Yes.": only where one thing was asked, else which one is open. */
function confirmed(visit: Visit, { question, replies }: Exchange, topic: string): Fact | null {
  const [reply] = replies
  const [first] = reply?.sentences ?? []
  const phrase = reply ? askedPhrase(question, reply.person) : null
  const thing = /^any (?:other )?(.+)$/i.exec(phrase ?? '')?.[1]
  if (!reply || !first || thing === undefined || /,|\b(?:or|and|other|else)\b/i.test(thing) || wordsOf(thing).length > 7)
    return null
  return factOf({
    kind: 'finding',
    topic,
    text: `${reply.person.name} confirms ${thing}`,
    spans: [wholeSpan(question.sentence), wholeSpan(first)],
    person: reply.person,
    support: 'stated',
    finding: { topic, state: 'stated' },
    must: visitRisk(question.body) !== null,
    score: 2,
  })
}

function symptomOf(body: string): string | null {
  return bodySymptoms.exec(body)?.[0]?.toLowerCase() ?? bodyParts.exec(body)?.[0]?.toLowerCase() ?? null
}

/** A short answer that says nothing without its question. */
function answered(visit: Visit, { question, replies }: Exchange, topic: string): Fact[] {
  const [reply] = replies
  const first = reply?.sentences[0]
  const asking = questionSpan(question.sentence)
  if (!reply || !first || first.isQuestion || lengthOf(asking) > 16 || lengthOf(asking) < 4 || !isCleanQuote(textOf(asking)))
    return []
  const span = spanOf(first)
  if (lengthOf(span) > 14 || !isCleanQuote(textOf(span)) || isStale(visit.view, span)) return []
  if (lengthOf(span) > 5 && rewordFirstPerson(first.clean, first.person) !== null) return []
  return [
    factOf({
      kind: 'client',
      topic,
      text: `Asked ${quoted(asking)}, ${reply.person.name} answered ${quoted(span)}`,
      spans: [wholeSpan(question.sentence), span],
      person: reply.person,
      support: 'stated',
      must: visitRisk(question.body) !== null,
      score:
        0.9 + (numbersIn(textOf(span)).size > 0 ? 0.5 : 0) + (mentionsMedication(`${question.body} ${textOf(span)}`) ? 0.6 : 0),
    }),
  ]
}
