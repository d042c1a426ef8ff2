import { frameOf, instructionOf, fromClient, nextOf, sameTurn, type SessionTime } from './plan-parts.ts'
import { agreementWith, type Agreement } from './answers.ts'
import { withoutOpeners, withoutTrail } from './clean.ts'
import { factOf, written } from './facts.ts'
import { rewordSecondPerson } from './gate.ts'
import { mentionsMedication } from './lexicon/topics.ts'
import { agreesNow, homeworkWords, weekday, nextSession, offers, planWords, referralWords } from './lexicon/signs.ts'
import { numbersIn } from '../text/numbers.ts'
import { isCleanQuote, lengthOf, questionSpan, quoted, spanOf, textOf, wholeSpan } from './quotes.ts'
import { reflectionFrame } from './reflections.ts'
import { lacksVerb } from './labels.ts'
import { addressee } from './restatements.ts'
import { beforeStale, groundBefore, groundsOf, hasStale, isSound, isUsable, stemsOf, type SessionView } from './session.ts'
import { isPast as isPastForm } from '../text/verbs.ts'
import { shareOf, wordsOf } from '../text/words.ts'
import type { Fact, Person, Sentence, Span, Turn } from './types.ts'

export function factsOfPlan(view: SessionView, held: SessionTime | null): Fact[] {
  const facts: Fact[] = []
  const { turns, opening, closing } = view.room
  for (const turn of turns.slice(opening, closing + 1)) {
    const isLate = turn.index > opening + (closing - opening) * 0.4
    if (!isLate) continue
    for (const sentence of turn.sentences) {
      if (!isUsable(view, sentence)) continue
      if (hasStale(view, sentence)) {
        const rest = turn.person.role === 'therapist' && turn.index >= view.planFrom ? partOfProposal(view, turn, sentence) : null
        if (rest) facts.push(rest)
        continue
      }
      const fact = turn.person.role === 'therapist' ? fromTherapist(view, turn, sentence, held) : fromClient(view, turn, sentence)
      if (fact) facts.push(fact)
    }
  }
  return lastOfNext(facts)
}

function partOfProposal(view: SessionView, turn: Turn, sentence: Sentence): Fact | null {
  const span = beforeStale(view, spanOf(sentence))
  if (!span || lengthOf(span) < 4 || (!planWords.test(textOf(span)) && lengthOf(span) < 5)) return null
  const person = addressee(view, turn, sentence, null)
  const text = person ? rewordSecondPerson(textOf(span), person) : null
  return text === null ? null : planFact(view, text, { text, spans: [span], person: turn.person, score: 3.2 })
}

function lastOfNext(facts: readonly Fact[]): Fact[] {
  const next = facts.filter((fact) => fact.kind === 'next').at(-1)
  return facts.filter((fact) => fact.kind !== 'next' || fact === next)
}

function fromTherapist(view: SessionView, turn: Turn, sentence: Sentence, held: SessionTime | null): Fact | null {
  const body = bodyOf(sentence)
  const isInPlan = turn.index >= view.planFrom || isLocalPlan(view, turn)
  const agreement = agreementWith(view, turn, sentence)
  if (
    agreement.state === 'objected' ||
    turn.sentences.some((each) => each.index <= sentence.index && reflectionFrame.test(withoutOpeners(each.clean)))
  )
    return null
  const isToSeveral =
    view.room.clients.length > 1 &&
    /\byou\b/i.test(body) &&
    !view.room.clients.some((each) =>
      new RegExp(`\\b${each.name}\\b`, 'i').test(turn.sentences.map((said) => said.clean).join(' ')),
    )
  const person = isToSeveral ? null : (addressee(view, turn, sentence, agreement.person) ?? agreement.person)
  const isRest = turn.sentences.some(
    (each) => each.index === sentence.index - 1 && sameTurn(turn, each) === sentence && nextSession.test(each.clean),
  )
  if (isRest) return null
  const appointment = nextOf(view, turn, sentence, body, agreement.sentence, held, isInPlan)
  if (appointment) return appointment
  if (sentence.isQuestion && counters(view, turn)) return null
  const framed = frameOf(view, body, person, sentence) ?? instructionOf(body, person, sentence, isInPlan)
  const grounds = groundsOf(sentence, groundBefore(view, turn.index, GROUND_TURNS))
  const spans: Span[] = [...grounds.filter((each) => !hasStale(view, each)).map(spanOf), wholeSpan(sentence)]
  if (agreement.state === 'agreed' && agreement.sentence) spans.push(wholeSpan(agreement.sentence))
  if (framed !== null) {
    if (!isInPlan && !planWords.test(body)) return null
    const detail = detailAfter(turn, sentence)
    if (detail) spans.push(detail)
    const credited = framed.startsWith('Therapist') ? turn.person : person
    return planFact(view, body, {
      text: detail ? `${framed}; asked ${quoted(detail)}` : framed,
      spans,
      person: credited && spans.some((span) => span.sentence.person === credited) ? credited : turn.person,
      covers: grounds.map((each) => each.index),
      score: 3.4,
    })
  }
  return isInPlan ? settled(view, turn, sentence, person, agreement, spans) : null
}

const subjects = [
  /^(?:(?:and|so|then|okay|now|right)[, ]+)*(?:(?:what )?about|as for|on) (?:the|your) (\p{L}+)\b(?:,| |\?|$)/iu,
  /\bwhat (?:could|would|will|can|might) you do about (?:the|your) (\p{L}+)/iu,
  /^(?:(?:and|so|then|okay|now|right)[, ]+)*(?:the|your) (\p{L}+)\?$/iu,
]

/** "About the coffee, what do you think is realistic?" gives the subject of a bare "three, and none after lunch". */
function aboutBefore(view: SessionView, turn: Turn): { name: string; sentence: Sentence } | null {
  for (const at of [turn.index, turn.index - 2]) {
    const earlier = view.room.turns[at]
    if (earlier?.person.role !== 'therapist') continue
    for (const sentence of earlier.sentences) {
      const name = subjects.map((subject) => subject.exec(sentence.clean)?.[1]).find((each) => each !== undefined)
      if (name !== undefined) return { name, sentence }
    }
  }
  return null
}

function settled(
  view: SessionView,
  turn: Turn,
  sentence: Sentence,
  person: Person | null,
  agreement: Agreement,
  spans: Span[],
): Fact | null {
  const body = bodyOf(sentence)
  const ground = groundBefore(view, turn.index, GROUND_TURNS)
  if (sentence.isQuestion || wordsOf(body).length > 34 || wordsOf(body).length < 2 || sentence.stems.size < 1) return null
  const coverage = shareOf(sentence.stems, stemsOf(ground))
  const isAgreed = agreement.state === 'agreed' || isRefined(view, turn, sentence)
  const start = body.split(' ').slice(0, 7).join(' ')
  const isPast =
    wordsOf(start)
      .slice(0, 4)
      .some((word) => isPastForm(word.toLowerCase()) && !/^(?:agreed|planned|scheduled|booked)$/i.test(word)) ||
    /\b(?:was|were|had|did|went|came|said|told|last (?:week|time|night|month))\b/i.test(start)
  if (wordsOf(body).length < 4 && !weekday.test(body) && !homeworkWords.test(body)) return null
  const verb = /^you (?:\w+ly )?([\w']+)/i.exec(body)?.[1]?.toLowerCase() ?? ''
  if (isPastForm(verb)) return null
  const isThanks =
    /^(?:thank|thanks|good|great|well done|that's|it's|i'm|i|how|what|great work|lovely|there you|\w+ and see|we can (?:leave|stop|wait|come)|(?:and|or) see)\b|^(?:that|it) is|\bis (?:what it|how it|that)\b/i.test(
      body,
    )
  if (
    isPast ||
    isThanks ||
    (!isAgreed && !crisisContact.test(body) && coverage < (offersBefore(view, turn) ? 0.3 : 0.5)) ||
    !(planWords.test(body) || referralWords.test(body) || numbersIn(body).size > 0 || coverage >= 0.5)
  )
    return null
  const about = aboutBefore(view, turn)
  const text = person ? rewordSecondPerson(vocativeFree(body, person), person) : null
  const span = spanOf(sentence)
  const line =
    text ??
    (isCleanQuote(span) ? `Agreed${person && view.room.clients.length > 1 ? ` with ${person.name}` : ''}: ${quoted(span)}` : null)
  if (line === null) return null
  const added = additionOf(view, turn, sentence)
  if (added) spans.push(added)
  const isBare = about !== null && lacksVerb(wordsOf(body)) && shareOf(about.sentence.stems, sentence.stems) === 0
  if (about && isBare) spans.unshift(wholeSpan(about.sentence))
  const subject = about && isBare ? `${about.name}: ${line.charAt(0).toLowerCase()}${line.slice(1)}` : line
  return planFact(view, body, {
    text: added && person ? `${subject}; ${added.sentence.person.name} added ${quoted(added)}` : subject,
    spans,
    person: person && spans.some((span) => span.sentence.person === person) ? person : turn.person,
    covers: groundsOf(sentence, ground).map((each) => each.index),
    score: 3.2 + (isAgreed ? 0.3 : 0),
  })
}

function detailAfter(turn: Turn, sentence: Sentence): Span | null {
  const next = turn.sentences.find((each) => each.index === sentence.index + 1)
  return next &&
    !nextSession.test(next.clean) &&
    next.isQuestion &&
    next.isFragment &&
    next.words.length <= 6 &&
    /\b(?:minutes?|hours?|noon|o'clock|at \w+|am|pm|days?)\b/i.test(next.clean)
    ? questionSpan(next)
    : null
}

const vocativeFree = (body: string, person: Person): string => body.replace(new RegExp(`^${person.name},? (?=you|your)`, 'i'), '')

type PlanDraft = Pick<Fact, 'text' | 'spans' | 'person' | 'score'> & { readonly covers?: readonly number[] }

const planFact = (view: SessionView, body: string, draft: PlanDraft): Fact =>
  factOf({
    ...draft,
    kind: 'plan',
    topic: referralWords.test(body) ? 'referral' : 'homework',
    text: written(draft.text, view.names),
    support: draft.text.includes('"') ? 'stated' : 'paraphrase',
    must: true,
    safety: mentionsMedication(body),
  })

/** Number of turns before a therapist's proposal that are searched for what others said about the same subject. */
const GROUND_TURNS = 5

const bodyOf = (sentence: Sentence): string => withoutTrail(withoutOpeners(sentence.clean))

/** Contacts for a crisis, which can go into the plan even if the client does not answer. */
const crisisContact = /\b(?:helpline|(?:crisis|night|text|duty) (?:line|team|number)|emergency|samaritans|988|999|911|112)\b/i

const offersBefore = (view: SessionView, turn: Turn): boolean =>
  view.room.turns[turn.index - 1]?.sentences.some((sentence) => offers.test(sentence.clean)) ?? false

/** "Shall we go for every night?" "I'll say six out of seven.": the answer changes the proposal. */
function counters(view: SessionView, turn: Turn): boolean {
  const first = view.room.turns[turn.index + 1]?.sentences[0]
  return (
    first !== undefined &&
    /^\W*(?:(?:well|um|oh|mm) )*(?:i'll say|i'd say|let's say|make (?:it|that)|more like|i'd rather)\b/i.test(first.clean)
  )
}

function isRefined(view: SessionView, turn: Turn, sentence: Sentence): boolean {
  const reply = view.room.turns[turn.index + 1]
  if (turn.sentences.some((each) => each.isQuestion && each.index > sentence.index) || !planWords.test(sentence.clean))
    return false
  return (
    reply?.sentences.some(
      (each) =>
        /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i.test(each.clean) && !each.isQuestion && each.words.length <= 8,
    ) ?? false
  )
}

function isLocalPlan(view: SessionView, turn: Turn): boolean {
  if (turn.sentences.some((sentence) => agreesNow.test(sentence.clean))) return true
  const before = view.room.turns[turn.index - 1]
  return (
    before?.person.role === 'client' && before.sentences.some((sentence) => offers.test(sentence.clean) && !sentence.isQuestion)
  )
}

function additionOf(view: SessionView, turn: Turn, sentence: Sentence): Span | null {
  const reply = view.room.turns[turn.index + 1]
  if (!reply || reply.person.role === 'therapist' || turn.sentences.some((each) => each.index > sentence.index)) return null
  const said = numbersIn(sentence.clean)
  const extra = reply.sentences.find(
    (each) =>
      [...numbersIn(each.clean)].some((number) => !said.has(number)) &&
      each.words.length <= 8 &&
      each.words.length >= 2 &&
      !/\b(?:nought|zero|one) to (?:ten|a hundred)\b/i.test(each.clean) &&
      !each.isQuestion &&
      isSound(view, each),
  )
  return extra ? spanOf(extra) : null
}
