import { agreementWith } from './answers.ts'
import { withoutOpeners } from './clean.ts'
import { factOf, written } from './facts.ts'
import { rewordFirstPerson, rewordSecondPerson } from './gate.ts'
import { lacksVerb } from './labels.ts'
import { interestOf, topicOf, type TermWeights } from './interest.ts'
import { drugIn, mentionsMedication, riskTopic, symptomTopic } from './lexicon/topics.ts'
import { isNumberWord, numbersIn } from '../text/numbers.ts'
import { isCleanQuote, lengthOf, questionSpan, quoted, spanOf, textOf, wholeSpan } from './quotes.ts'
import { stripped, indirectQuestion } from './questions.ts'
import { reflectionFrame } from './reflections.ts'
import {
  groundBefore,
  groundsOf,
  hasStale,
  isSound,
  isUsable,
  raisedBefore,
  stemsOf,
  tellsThought,
  type SessionView,
} from './session.ts'
import { isContentWord, shareOf, wordsOf } from '../text/words.ts'
import type { Fact, Person, Sentence, Span, Turn } from './types.ts'
import { remember } from '../text/remember.ts'

const namesThought =
  /\b(?:thoughts?|think|thinks|believed?|belie(?:f|ve|ves)|afraid|fear(?:ed|s)?|worr(?:y|ied|ies)|felt|feels?|expect(?:ed)?|predict(?:ed)?|imagined?|sure|horrif\w+|percent)\b/i

const topicalWord = /\b(?:sleep|drink|smok|work|mood|anxi|pain|job|school|money|weed|tablets|medication)\w*/i

export const factsOfRestatements = (view: SessionView, weights: TermWeights): Fact[] =>
  view.room.turns.slice(view.room.opening, view.room.closing + 1).flatMap((turn) => {
    if (turn.person.role !== 'therapist' || turn.index >= view.planFrom) return []
    return turn.sentences.flatMap((sentence) => {
      const fact = restated(view, turn, sentence, weights)
      return fact ? [fact, ...clausesOf(view, sentence, fact)] : []
    })
  })

function restated(view: SessionView, turn: Turn, sentence: Sentence, weights: TermWeights): Fact | null {
  if (!canRestate(view, sentence)) return null
  const body = bodyOf(sentence)
  const ground = groundBefore(view, turn.index, 6)
  const coverage = shareOf(sentence.stems, stemsOf(ground))
  const agreement = agreementWith(view, turn, sentence)
  const saysBack = /^(?:so|right, so|okay, so|and so)\b/i.test(sentence.clean) || coverage >= 0.6
  const isOutright =
    agreement.sentence !== null &&
    agreement.sentence.words.length <= 4 &&
    /^(?:so|right, so|okay, so|and so)\b.*\byou/i.test(sentence.clean)
  const isAgreed = agreement.state === 'agreed' && saysBack && (coverage >= 0.4 || isOutright)
  const isCovered = agreement.state === 'open' && coverage >= 0.65
  if (agreement.state === 'objected' || (!isAgreed && !isCovered)) return null
  const person =
    /\byou/i.test(body) || !isAgreed
      ? addressee(view, turn, sentence, agreement.person)
      : (agreement.person ?? addressee(view, turn, sentence, null))
  if (!person) return null
  const grounds = groundsOf(sentence, ground)
  if (!isAgreed && isNegated(body) !== grounds.some((each) => isNegated(each.clean))) return null
  if (riskTopic(body) !== null && grounds.some((each) => riskTopic(each.clean) !== null)) return null
  if (grounds.some((each) => tellsThought(view, each)) && !namesThought.test(body)) return null
  const agreed = isAgreed && agreement.sentence ? [wholeSpan(agreement.sentence)] : []
  const spans: Span[] = [...grounds.filter((each) => !hasStale(view, each)).map(spanOf), wholeSpan(sentence), ...agreed]
  const isExact = riskTopic(body) !== null || mentionsMedication(body)
  const isVerbless = onlyNumbers(sentence) || lacksVerb(wordsOf(body))
  const own = isVerbless && !isExact ? ownWords(view, grounds, sentence) : null
  const plain = own ?? (onlyNumbers(sentence) ? null : wording(view, sentence, body, person, isAgreed, turn))
  if (plain === null || (own === null && /^(?:she|he|they)\b/i.test(plain))) return null
  const extra = isAgreed && !(own ?? '').includes('"') ? addedNumber(view, turn, sentence) : null
  if (extra) spans.push(extra)
  const raised = topicOf(body) === 'other' || !topicalWord.test(body) ? raisedBefore(view, turn.index) : null
  const asked = raised || own !== null || plain.includes('"') ? null : questionBefore(view, turn, body)
  if (isVerbless && !isAgreed && !asked && !raised && own === null) return null
  if (asked) spans.unshift(wholeSpan(asked))
  if (raised) spans.unshift(wholeSpan(raised.sentence))
  const lead = raised ? raised.name : asked ? leadOf(asked, person) : null
  const line = lead === null ? plain : `${lead}: ${lowered(plain.replace(/^By [^:]+: /, ''), view.names)}`
  const text = extra ? `${line}; ${extra.sentence.person.name} added ${quoted(extra)}` : line
  const named = mentionsMedication(body) && drugIn(body) === null ? drugNear(view, turn.index) : null
  if (named && text.startsWith(`${named.drug}:`)) spans.unshift(wholeSpan(named.sentence))
  const bonus = (isAboutOthers(body) ? -1.6 : 0) + (isAgreed ? 1.3 : 0.8) + (numbersIn(body).size > 0 ? 0.4 : 0)
  return factOf({
    kind: riskTopic(body) ? 'finding' : mentionsMedication(body) ? 'medication' : 'client',
    topic: topicOf(body),
    text,
    spans,
    person,
    support: text.includes('"') ? 'stated' : 'paraphrase',
    must: riskTopic(body) !== null ? !grounds.some((each) => riskTopic(each.clean)) : mentionsMedication(body),
    score: interestOf(body, sentence.stems, weights) + bonus,
    covers: grounds.map((each) => each.index),
  })
}

function leadOf(asked: Sentence, person: Person): string {
  if (asked.words.length <= 2 && asked.isFragment) return stripped(asked.clean)
  const question = questionSpan(asked)
  return `${person.name}, asked ${indirectQuestion(stripped(textOf(question)), person) ?? quoted(question)}`
}

function lowered(text: string, names: readonly string[]): string {
  const first = /^[\p{L}'-]+/u.exec(text)?.[0] ?? ''
  return names.some((name) => first.startsWith(name)) || /^(?:I\b|[A-Z]{2}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1)
}

const bodyOf = (sentence: Sentence): string => withoutOpeners(sentence.clean).replace(/[.!,\s]+$/, '')

function canRestate(view: SessionView, sentence: Sentence): boolean {
  if (sentence.isQuestion || !isSound(view, sentence) || sentence.stems.size < 2) return false
  const body = bodyOf(sentence)
  const count = wordsOf(body).length
  if (reflectionFrame.test(body) || count < 3 || count > 34) return false
  return !/\b(?:i|i'm|i'd|i'll|i've|me|my|we|let's|us|our)\b/i.test(body) && !/^you (?:could|can|might|should)\b/i.test(body)
}

const isNegated = (text: string): boolean => /\b(?:not|no|never|nobody|nothing|none|without)\b|n't\b/i.test(text)

function isAboutOthers(body: string): boolean {
  if (/\byou/i.test(body)) return false
  const subject = body.replace(/^\p{L}+ (?=does|is|was|did|doesn't|didn't|isn't)/u, 'he ')
  return /^(?:he|she|they|nobody|somebody|everyone|it|that|\p{Lu}\p{Ll}+ (?:is|was|does|did|says|said|saw|has))\b/u.test(subject)
}

const onlyNumbers = (sentence: Sentence): boolean => [...sentence.words].filter(isContentWord).every((word) => isNumberWord(word))

function ownWords(view: SessionView, grounds: readonly Sentence[], said: Sentence): string | null {
  const numbers = numbersIn(said.clean)
  const ground = grounds.find(
    (each) =>
      isSound(view, each) &&
      each.words.length >= 5 &&
      each.words.length <= 24 &&
      !lacksVerb(each.words) &&
      isCleanQuote(spanOf(each)) &&
      [...numbers].every((number) => numbersIn(each.clean).has(number)),
  )
  if (!ground) return null
  const reworded = rewordFirstPerson(ground.clean, ground.person)
  if (reworded !== null) return written(reworded, view.names)
  const isReadable = ground.words.length <= 16 && !/\b(?:i mean|you know)\b/i.test(ground.raw)
  return isReadable ? `${ground.person.name} said ${quoted(spanOf(ground))}` : null
}

function questionBefore(view: SessionView, turn: Turn, body: string): Sentence | null {
  if (wordsOf(body).length > 7 || !lacksVerb(wordsOf(body)) || /\byou/i.test(body)) return null
  const before = view.room.turns[turn.index - 2]
  const question = before?.person.role === 'therapist' ? before.sentences.findLast((sentence) => sentence.isQuestion) : null
  return question && isUsable(view, question) && question.words.length <= 12 && question.stems.size > 0 ? question : null
}

function addedNumber(view: SessionView, turn: Turn, sentence: Sentence): Span | null {
  const said = numbersIn(sentence.clean)
  const reply = view.room.turns[turn.index + 1]
  const extra = reply?.sentences
    .slice(0, 3)
    .find(
      (each) =>
        !each.isQuestion &&
        each.words.length >= 3 &&
        each.words.length <= 14 &&
        [...numbersIn(each.clean)].some((number) => !said.has(number)) &&
        shareOf(each.stems, stemsOf(view.room.turns[turn.index + 2]?.sentences ?? [])) < 0.4,
    )
  return extra && isSound(view, extra) && !extra.isHypothetical && isCleanQuote(spanOf(extra)) ? spanOf(extra) : null
}

function clausesOf(view: SessionView, sentence: Sentence, fact: Fact): Fact[] {
  const halves = sentence.clean.split(/,? and (?=you|your)/i)
  const half = halves.at(-1)
  const { person } = fact
  if (halves.length < 2 || half === undefined || !person || fact.safety || wordsOf(half).length < 4) return []
  const text = rewordSecondPerson(half, person)
  if (text === null || wordsOf(text).some((word) => isNumberWord(word))) return []
  return [
    factOf({
      kind: 'client',
      topic: topicOf(half),
      text: written(text, view.names),
      spans: fact.spans,
      person,
      support: 'paraphrase',
      score: fact.score - 0.6,
    }),
  ]
}

const startsWithYou = /^you(?:r \S+(?: \S+)? (?:is|was|were|are|has|had|went|felt))?\b/i

function wording(
  view: SessionView,
  sentence: Sentence,
  body: string,
  person: Person,
  isAgreed: boolean,
  turn: Turn,
): string | null {
  const span = spanOf(sentence)
  const isExact = riskTopic(body) !== null || mentionsMedication(body)
  if (isExact) {
    if (lengthOf(span) > 30) return null
    const drug = mentionsMedication(body) ? (drugIn(body) === null ? (drugNear(view, turn.index)?.drug ?? null) : null) : null
    return `${drug === null ? '' : `${drug}: `}${isAgreed ? `${person.name} confirmed` : 'therapist said back'} ${quoted(span)}`
  }
  const others = view.room.people.filter((each) => each !== person && new RegExp(`\\b${each.name}\\b`, 'i').test(body))
  const reworded = rewordSecondPerson(withoutVocative(body, view), person)
  if (reworded === null || others.length > 1) {
    return isAgreed && lengthOf(span) <= 22 && isCleanQuote(span)
      ? `${person.name} agreed when the therapist said ${quoted(span)}`
      : null
  }
  const text = written(reworded, view.names)
  if (text.startsWith(person.name) && startsWithYou.test(withoutVocative(body, view))) return text
  if (view.room.clients.some((each) => text.startsWith(`${each.name} `)) || (others.length > 0 && text.includes(person.name)))
    return text
  const after = rewordSecondPerson(withoutVocative(body, view), person, true)
  const turned = after === null ? text : written(after, view.names)
  const line =
    symptomTopic(/^\p{L}+/u.exec(turned)?.[0] ?? '') === null ? turned : turned.charAt(0).toLowerCase() + turned.slice(1)
  return isAgreed ? text : `By ${person.name}'s account: ${line}`
}

function withoutVocative(body: string, view: SessionView): string {
  for (const name of view.names) {
    const lead = new RegExp(`^${name},? (?=you|your)|, ${name}$`, 'i')
    if (lead.test(body)) return body.replace(lead, '')
  }
  return body
}

const drugCount = remember(
  ({ room }: SessionView): number =>
    new Set(room.sentences.flatMap((sentence) => drugIn(sentence.raw)?.toLowerCase() ?? [])).size,
)

export function drugNear(view: SessionView, turn: number): { drug: string; sentence: Sentence } | null {
  if (drugCount(view) !== 1) return null
  for (let at = turn; at >= Math.max(0, turn - 6); at -= 1) {
    for (const sentence of view.room.turns[at]?.sentences ?? []) {
      const drug = drugIn(sentence.raw)
      if (drug !== null) return { drug, sentence }
    }
  }
  return null
}

export function addressee(view: SessionView, turn: Turn, sentence: Sentence, replying: Person | null): Person | null {
  const named = view.room.clients.find((person) => new RegExp(`(?:^|[.,] )${person.name},`, 'i').test(sentence.clean))
  if (named) return named
  const before = view.room.turns[turn.index - 1]?.person
  if (view.room.clients.length === 1) return view.room.clients[0] ?? null
  if (before?.role === 'client') return before
  return replying?.role === 'client' ? replying : null
}
