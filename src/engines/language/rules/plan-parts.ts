import { rewordSecondPerson, rewordFirstPerson } from './gate.ts'
import { mentionsMedication } from './lexicon/topics.ts'
import { momentVerbs, planWords, referralWords, homeworkWords, nextSession } from './lexicon/signs.ts'
import { isCleanQuote, quoted, spanOf, lengthOf, wholeSpan } from './quotes.ts'
import type { SessionView } from './session.ts'
import { attempt } from '#base/control.ts'
import { localDateIn } from '#base/locale.ts'
import { wordsOf, normalise } from '../text/words.ts'
import type { Person, Sentence, Fact, Turn } from './types.ts'
import { isBaseVerb } from '../text/verbs.ts'
import { capitalise, withoutOpeners } from './clean.ts'
import { DAY_MS, months, weekdays } from '../text/calendar.ts'
import { factOf, written } from './facts.ts'
import type { DraftSession } from '../port.ts'
import { dayOfMonth } from '../text/numbers.ts'

const planVerb =
  /^(?:be|have|do|put|cut|set|let|read|send|book|email|e-mail|bring|refer|schedule|journal|log|practise|practice|contact|arrange|attend|limit|record|track|rate|note|hear|check)$/

export function frameOf(view: SessionView, body: string, person: Person | null, sentence: Sentence): string | null {
  const [toClient, byTherapist, together, wishes] = frames.map((frame) => frame.exec(body)?.[1])
  const rest = toClient ?? byTherapist ?? together ?? wishes
  if (
    rest === undefined ||
    (momentVerbs.test(rest) && wishes === undefined) ||
    /\bif\b/i.test(rest.replace(/\beven if\b|\bif (?:the thoughts?|it|that) (?:comes?|gets?)\b/gi, '')) ||
    wordsOf(rest).length > 30 ||
    wordsOf(rest).length < 2
  )
    return null
  const first = (wordsOf(rest).find((word) => !/^(?:just|also|maybe|both|then|please|all|first)$/.test(word)) ?? '').toLowerCase()
  if (!isBaseVerb(first) && !planVerb.test(first)) return null
  if (sentence.isQuestion && !(planWords.test(rest) && /^(?:could|can|would|shall)/i.test(body))) return null
  const span = spanOf(sentence)
  const verbatim = isCleanQuote(span) ? quoted(span) : null
  const isOfPlan = verbatim !== null && planWords.test(rest)
  if (person === null && view.room.clients.length > 1 && (toClient ?? byTherapist) !== undefined)
    return isOfPlan ? `Therapist to both: ${verbatim}` : null
  if (byTherapist !== undefined)
    return rewordedRest(`Therapist will ${rest}`, person, rest) ?? (isOfPlan ? `Therapist: ${verbatim}` : null)
  if (wishes !== undefined)
    return rewordedRest(`Therapist would like to ${rest}`, person, rest) ?? (verbatim && `Therapist: ${verbatim}`)
  if (together !== undefined) return rewordedRest(`Plan: ${rest}`, person, rest)
  const lead = `${person?.name ?? 'the client'} ${/^(?:you(?:'ll| will))/i.test(body) ? 'will' : 'to'} `
  return rewordedRest(`${lead}${rest}`, person, rest)
}

/** In order: a request to the client, the therapist's own plan, a shared plan, and the therapist's wish. */
const frames = [
  /^(?:(?:i'd|i would) (?:like|love|want) you(?: both)? to|i want you to|i'm going to ask you to|make sure (?:that )?you|try to|could you|can you|would you (?:be (?:able|willing) to|try to)?|you(?:'ll| will| could| might| can)|(?:maybe|perhaps) you (?:could|can)) (.+)$/i,
  /^(?:i'll|i will|i'm going to|i am going to|let me) (.+)$/i,
  /^(?:let's|we'll|we will|we're going to|(?:i'd|i would) like us to|shall we|we can|we could) (.+)$/i,
  /^(?:i'd|i would) like to ((?:hear|see|call|ring|phone|meet|speak|check in|send|write|invite|refer)\b.+)$/i,
]

function rewordedRest(line: string, person: Person | null, rest: string): string | null {
  if (/\b(?:i|me|my|i'd|i'll|i'm)\b/i.test(rest)) return null
  const lead = line.slice(0, line.length - rest.length)
  if (!/\byou/i.test(rest) || !person)
    return /\b(?:us|our|we)\b/i.test(rest) ? `${lead}${rest}`.replace(/\bour\b/gi, 'the') : line
  if (/\b(?:we|us|our)\b/i.test(rest)) return null
  const turned = rewordSecondPerson(rest, person, lead.startsWith(person.name))
  return turned === null ? null : `${lead}${turned}`
}

export function instructionOf(body: string, person: Person | null, sentence: Sentence, isInPlan: boolean): string | null {
  if (!isInPlan || sentence.isQuestion || wordsOf(body).length < 4 || wordsOf(body).length > 20) return null
  if (
    !/^(?:please )?(?:tell|ask|ring|call|phone|text|email|write|bring|take|keep|put|set|practi[sc]e|try|note|record|fill|book|go|walk|read|send|show|leave|turn|stop|start|stay|sit|use|cut|limit|eat|avoid)\b/i.test(
      body,
    ) ||
    /^(?:take care|take a (?:seat|moment|breath)|tell me|go on|go ahead|keep going|ask me|show me|stop there|stay with)\b/i.test(
      body,
    )
  )
    return null
  const told = body.replace(/^please,? /i, '')
  const rest = told.charAt(0).toLowerCase() + told.slice(1)
  return rewordedRest(`${person?.name ?? 'the client'} to ${rest}`, person, rest)
}

const commits =
  /^(?:i'll|i will|i can|i could|i'm going to|i am going to|and i|we'll|we can|we could|i promise|let's say|i'd be willing)\b/i

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
  const reworded = isCleanQuote(span) ? null : rewordFirstPerson(sentence.clean, turn.person)
  if (/\b(?:it|that|them)\b/i.test(body) && sentence.stems.size <= 2) return null
  if ((!isCleanQuote(span) && reworded === null) || lengthOf(span) > 20 || /^(?:no|not)\b(?! more)/i.test(sentence.clean))
    return null
  return factOf({
    kind: 'plan',
    topic: 'homework',
    text: reworded ?? `${turn.person.name}: ${quoted(span)}`,
    spans: [span],
    support: reworded === null ? 'stated' : 'paraphrase',
    must: true,
    score: 2.9,
    safety: mentionsMedication(body),
  })
}

function answersPlan(view: SessionView, turn: Turn, sentence: Sentence): boolean {
  const before = view.room.turns[turn.index - 1]
  return (
    before?.person.role === 'therapist' &&
    before.sentences.some((each) => each.isQuestion) &&
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.test(sentence.clean)
  )
}

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
  const isAsSaid = /\b(?:i|you|me|your)\b/i.test(named)
  const beside = isAsSaid ? [] : [more, agreed].filter((each) => each !== null)
  return factOf({
    kind: 'next',
    topic: 'next',
    text: isAsSaid ? `Next appointment, as said: ${quoted(spanOf(sentence))}` : written(text, view.names),
    spans: [sentence, ...beside].map(wholeSpan),
    person: null,
    support: isAsSaid ? 'stated' : 'paraphrase',
    must: true,
    score: 3,
  })
}

const whenWords =
  /\b(?:(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:here )?tomorrow\b|same time\b|next (?:week|month)\b|in (?:a|one|two|three|four|five|six) (?:weeks?|fortnight|months?|days?)\b|a fortnight\b|(?:the )?(?:[a-z]+(?:-| )?)?(?:first|second|third|\w+th)\b(?= (?:at|of)\b|,|$)|the \w+ of \w+)/i

/** "none after four, so we speak again on Thursday" keeps only the part about Thursday. */
function startOfWhen(text: string): string {
  const match = whenWords.exec(text)
  return (match ? text.slice(match.index) : text).replace(
    /,? (?:(?:is that|does that|if that|would that|works? for|okay|all right)\b.*)$/i,
    '',
  )
}

/** "Shall we say a fortnight? That would be the twentieth, at six.": the next sentence gives the date. */
export function sameTurn(turn: Turn, sentence: Sentence): Sentence | null {
  const next = turn.sentences.find((each) => each.index === sentence.index + 1)
  return next && /^(?:that|which|so)\b/i.test(next.clean) && dayOfMonth(next.clean) !== null && next.words.length <= 12
    ? next
    : null
}

export type SessionTime = Pick<DraftSession, 'starts_at' | 'time_zone'>

/** "Tuesday the tenth" after a session on November 3, 2026 gives "November 10"; null if no date fits. */
function appointmentDate(text: string, held: SessionTime): string | null {
  const day = dayOfMonth(text)
  if (day === null) return null
  const start = calendarDay(held.starts_at, held.time_zone)
  if (start === null) return null
  const weekday = weekdays.findIndex((name) => normalise(text).includes(name))
  for (let ahead = 1; ahead <= 62; ahead += 1) {
    const date = new Date(start + ahead * DAY_MS)
    if (date.getUTCDate() !== day) continue
    if (weekday >= 0 && date.getUTCDay() !== weekday) return null
    return `${capitalise(months[date.getUTCMonth()] ?? '')} ${day}`
  }
  return null
}

/** The session's local calendar day as midnight UTC in Unix milliseconds; null for an invalid time. */
function calendarDay(startsAt: string, timeZone: string): number | null {
  const day = attempt(() => localDateIn(startsAt, timeZone)) ?? attempt(() => localDateIn(startsAt, 'UTC'))
  return day === undefined ? null : Date.parse(day)
}
