import { asksAfterGood, answersSomethingElse, denial, followsRisk, isSafetyTopic } from './denials.ts'
import { answerOf, type Answer, type Exchange } from './answers.ts'
import { drugIn, mentionsMedication, substanceTopic, riskTopic, symptomTopic } from './lexicon/topics.ts'
import { planPivot, planWords, weekday } from './lexicon/signs.ts'
import { factOf } from './facts.ts'
import { interestOf, topicOf, type TermWeights } from './interest.ts'
import { findingTopic, stripped, type Question, indirectQuestion } from './questions.ts'
import {
  isCleanQuote,
  lengthOf,
  listOfQuotes,
  questionSpan,
  quoted,
  spanOf,
  textOf,
  trimSpan,
  wholeSpan,
  quotable,
} from './quotes.ts'
import { isUsable, tellsThought, type SessionView, beforeStale, isStale } from './session.ts'
import { numbersIn, isNumberWord } from '../text/numbers.ts'
import { rewordFirstPerson } from './gate.ts'
import { shareOf, stemsIn, wordsOf } from '../text/words.ts'
import type { Fact, Person, Sentence, Span, Turn } from './types.ts'

export const factsOfPairs = (view: SessionView, exchanges: readonly Exchange[], weights: TermWeights): Fact[] =>
  exchanges.flatMap((exchange) => {
    const { question, replies } = exchange
    const [reply] = replies
    if (!reply || !isUsable(view, question.sentence) || question.isCourtesy) return []
    const topic = findingTopic(question.body)
    const answer = answersSomethingElse(question, reply) ? 'other' : answerOf(reply.sentences)
    if (answer === 'declined') return [declined(view, exchange, reply, topic)]
    const isPlain = question.isYesNo && !question.isEitherOr && !question.isNegative && !asksAfterGood.test(question.body)
    if (topic !== null && isPlain && answer === 'no') return [denial(view, exchange, topic)]
    return asked(view, exchange, reply, topic, answer, weights)
  })

function declined(view: SessionView, exchange: Exchange, reply: Turn, topic: string | null): Fact {
  const { question } = exchange
  const answer =
    reply.sentences.find((sentence) =>
      /\b(?:leave|skip|pass|rather|prefer|talk|answer|say|not|another|today)\b/i.test(sentence.clean),
    ) ?? reply.sentences[0]
  const span = answer ? lastClean(answer) : null
  return factOf({
    kind: 'finding',
    topic: topic ?? 'other',
    text: `Asked ${quoted(questionSpan(question.sentence))}, ${reply.person.name} did not answer${span ? `: ${quoted(span)}` : ''}`,
    spans: [wholeSpan(question.sentence), ...(span ? [span] : [])],
    person: reply.person,
    finding: null,
    safety: topic !== null && isSafetyTopic(topic),
    must: topic !== null,
    score: 3,
  })
}

function lastClean(sentence: Sentence): Span {
  const whole = spanOf(sentence)
  const ask =
    /\b(?:(?:can|could|may) (?:we|i)|i'd rather|i would rather|i prefer|i (?:don't|do not) want|let's (?:not|leave)|not (?:going|ready)|pass\b)/i.exec(
      textOf(whole),
    )
  const mark = /[?.!\s]*$/.exec(textOf(whole))?.[0].length ?? 0
  if (ask) return { ...whole, from: whole.from + ask.index, to: whole.to - mark }
  if (isCleanQuote(whole)) return whole
  const comma = textOf(whole).lastIndexOf(', ')
  return comma > 0 ? trimSpan({ ...whole, from: whole.from + comma + 2 }) : whole
}

function asked(
  view: SessionView,
  exchange: Exchange,
  reply: Turn,
  topic: string | null,
  answer: Answer,
  weights: TermWeights,
): Fact[] {
  const { question } = exchange
  const isRisk = riskTopic(question.body) !== null || topic === 'plan or intent' || followsRisk(view, exchange)
  const isPlanned =
    exchange.turn.index >= view.planFrom &&
    !isRisk &&
    (question.subject !== null || planPivot.test(question.body) || reply.sentences.some((each) => weekday.test(each.clean)))
  if (
    !question.isYesNo &&
    !isRisk &&
    !isPlanned &&
    reply.sentences
      .slice(0, 2)
      .some((each) => each.stems.size > 1 && !tellsThought(view, each) && rewordFirstPerson(each.clean, each.person) !== null)
  )
    return []
  const told = saidInAnswer(view, question, reply, topic, isRisk, isPlanned ? 3 : 2)
  // "I don't know." to a question about risk is quoted, because leaving it out would hide that it was asked.
  const spans = told.length === 0 && isRisk ? reply.sentences.slice(0, 1).map(bareSpan) : told
  if (spans.length === 0) return []
  const text = spans.map(textOf).join(' ')
  const stems = stemsIn(`${question.body} ${text}`)
  const answerStems = stemsIn(text)
  if (answerStems.size === 0 && topic === null && answer === 'other' && !isRisk) return []
  const stated = topic !== null && (answer === 'yes' || (answer === 'other' && findingTopic(text) === topic))
  return [
    factOf({
      kind: isPlanned && planWords.test(text) ? 'plan' : kindOf(question, topic),
      topic: topic ?? (/\bfamily\b/i.test(question.body) ? 'history' : topicOf(`${question.body} ${text}`)),
      text: `${leadOf(question, reply.person, isRisk)} ${listOfQuotes(spans)}`,
      spans: [wholeSpan(question.sentence), ...spans],
      person: reply.person,
      finding: stated ? { topic: topic ?? 'other', state: 'stated' } : null,
      safety: isRisk || (topic !== null && isSafetyTopic(topic)),
      must:
        isRisk ||
        (isPlanned && planWords.test(text)) ||
        (topic !== null &&
          (isSafetyTopic(topic) || (question.isYesNo && topic !== 'thoughts') || substanceTopic(question.body) !== null)),
      score:
        interestOf(`${question.body} ${text}`, stems, weights) +
        weightOf(question, topic, answer, text) -
        (answerStems.size === 0 ? 0.8 : 0),
    }),
  ]
}

function saidInAnswer(
  view: SessionView,
  { body }: Question,
  reply: Turn,
  topic: string | null,
  isRisk: boolean,
  most: number,
): Span[] {
  const isOfMedicine = topic === 'medication' || /\b(?:take|taking|took|taken)\b.{0,12}\b(?:it|them|those|that)\b/i.test(body)
  const isOfSubstance = topic !== null && substanceTopic(body) !== null
  const said = answerSpans(view, reply, isRisk, isOfMedicine || isOfSubstance ? 3 : most)
  return isOfMedicine ? said.filter((span, at) => at === 0 || ofMedicine(textOf(span))) : said
}

const ofMedicine = (text: string): boolean =>
  mentionsMedication(text) ||
  numbersIn(text).size > 0 ||
  symptomTopic(text) !== null ||
  substanceTopic(text) !== null ||
  weekday.test(text) ||
  /\b(?:yesterday|today|week|month|day|night|morning|since|stopp?\w*|start\w*|ran out|miss\w*|forg\w+|because|doctor|box|took|take)\b/i.test(
    text,
  )

function kindOf(question: Question, topic: string | null): Fact['kind'] {
  if (topic === 'medication') return 'medication'
  return topic !== null && question.isYesNo ? 'finding' : 'client'
}

function leadOf(question: Question, person: Person, isRisk: boolean): string {
  if (question.subject) return `${question.subject}: ${person.name} said`
  const whole = questionSpan(question.sentence)
  const drug = drugIn(textOf(whole))
  const reported = isRisk ? null : indirectQuestion(stripped(textOf(whole)), person)
  const keepsDrug = drug === null || drugIn(reported ?? '') !== null
  const subject = keepsDrug ? /^about (?!(?:it|that|this|them)\b)([^"]{3,40})$/.exec(reported ?? '')?.[1] : undefined
  if (subject !== undefined) return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${person.name} said`
  return `Asked ${reported !== null && keepsDrug ? reported : quoted(whole)}, ${person.name} answered`
}

const othersMatter =
  /\b(?:he|she|they)(?:'s|'re| is| are| takes| took)? (?:on )?(?:\w+ )?(?:tablets|pills|medication|insulin)\b|\b(?:his|her|their) (?:liver|heart|kidneys?|licence|job|wife|husband)\b|\b(?:he|she|they) (?:stopped|started|quit|gave up) (?:drinking|smoking|using|gambling|taking)/i

function weightOf(question: Question, topic: string | null, answer: Answer, text: string): number {
  const isAmount = /\bhow (?:many|much|often|long)\b/i.test(question.body)
  const hasNumber = numbersIn(text).size > 0
  const isThin = topic === null && question.sentence.stems.size < (question.isYesNo ? 1 : 2)
  let weight = /^(?:sleep\w*|eating|appetite|meals?|food|energy|mood|work|school|drinking|smoking)$/i.test(question.subject ?? '')
    ? 0.6
    : -0.2
  if (hasNumber) weight += isAmount ? 1.4 : 0.4
  if (question.isYesNo && (answer === 'no' || answer === 'yes')) weight += 1.2
  if (lengthOf(questionSpan(question.sentence)) > 18) weight -= 1.5
  if (isThin) weight -= 0.6
  if (othersMatter.test(text)) weight -= 2
  if (topic === null && /\b(?:wrong|right|okay|fair)\b/i.test(question.body)) weight -= 1
  return weight
}

function answerSpans(view: SessionView, reply: Turn, isRisk: boolean, most: number): Span[] {
  const spans: Span[] = []
  let total = 0
  for (const sentence of reply.sentences) {
    if (!isUsable(view, sentence) || (sentence.isQuestion && spans.length > 0)) continue
    const whole = sentence.words.length <= 3 ? bareSpan(sentence) : spanOf(sentence)
    const span = isStale(view, whole) ? beforeStale(view, whole) : whole
    if (!span || textOf(span).trim() === '' || (isEmptyAnswer(sentence) && !(isRisk && sentence.words.length >= 4))) continue
    const length = lengthOf(span)
    if (total + length > (isRisk ? 34 : 20)) break
    if (!isRisk && spans.length > 0 && ofOthers.test(sentence.clean)) break
    if (!isRisk && (sentence.isHypothetical || (spans.length > 0 && (sentence.isReported || length > 12)))) break
    const clean = isRisk || isCleanQuote(span) ? span : wholeOr(span, quotable(sentence, 12, null))
    if (!clean) {
      if (length > 6) break
      continue
    }
    if (spans.some((each) => textOf(each).toLowerCase() === textOf(clean).toLowerCase())) continue
    if (
      !isRisk &&
      spans.length > 0 &&
      sentence.stems.size > 0 &&
      spans.some((each) => shareOf(sentence.stems, each.sentence.stems) === 1)
    )
      continue
    spans.push(clean)
    total += length
    if (spans.length === (isRisk ? 5 : most)) break
  }
  return spans
}

/** Another person's drinking, smoking, or medication does not answer a question about the client. */
const ofOthers =
  /\b(?:he|she|they)(?:'s|'re)? (?:stopped|started|quit|gave up|drinks?|smokes?|takes?|took|on) |\bmy \w+(?:'s| is| was) on \w+/i

/** If a cut would lose a number or a weekday, quotes the whole sentence, unless the sentence is long. */
function wholeOr(whole: Span, part: Span | null): Span | null {
  if (!part || lengthOf(whole) > 14) return part
  const said = countable(textOf(part))
  return countable(textOf(whole)) > said ? whole : part
}

const countable = (text: string): number =>
  wordsOf(text).filter((word) => isNumberWord(word.toLowerCase()) || weekday.test(word)).length

const isEmptyAnswer = (sentence: Sentence): boolean =>
  sentence.stems.size === 0 &&
  !/\b(?:yes|yeah|no|never|not|none|nothing|once|twice|all|always|some|every|i do|i did|i have|\d+)\b/i.test(sentence.clean) &&
  !sentence.words.some(isNumberWord)

function bareSpan(sentence: Sentence): Span {
  const end = /[\s,.;:!…–—-]*$/.exec(sentence.raw)?.[0].length ?? 0
  return { sentence, from: sentence.from, to: sentence.to - end }
}
