import { cleanText } from './clean.ts'
import { factOf, written } from './facts.ts'
import { rewordFirstPerson } from './gate.ts'
import { interestOf, topicOf, uptakeOf, type TermWeights } from './interest.ts'
import { drugIn, mentionsMedication, symptomTopic, notTheSpeaker, riskTopic } from './lexicon/topics.ts'
import { changeTalk, evaluation, weekday } from './lexicon/signs.ts'
import { numberPattern, numbersIn } from '../text/numbers.ts'
import type { Exchange } from './answers.ts'
import { drugNear } from './restatements.ts'
import { isCleanQuote, lengthOf, quotable, quoted, spanOf, textOf, wholeSpan } from './quotes.ts'
import { beforeStale, hasStale, isSound, isStale, isUsable, tellsThought, type SessionView } from './session.ts'
import { contentStems, wordsOf } from '../text/words.ts'
import type { Fact, Person, Sentence, Span } from './types.ts'

export function factsOfClients(view: SessionView, exchanges: readonly Exchange[], weights: TermWeights): Fact[] {
  const subjects = subjectsOf(exchanges)
  return view.room.sentences.flatMap((sentence, place) => {
    if (hasStale(view, sentence) && isUsable(view, sentence) && sentence.person.role === 'client')
      return corrected(view, sentence, place)
    if (sentence.person.role !== 'client' && sentence.person.role !== 'other') return []
    const risk = riskTopic(sentence.raw)
    if (risk !== null && sentence.turn >= view.room.opening && !sentence.isInstruction) return [riskCue(view, sentence, risk)]
    if (!isUsable(view, sentence) || sentence.isQuestion || sentence.isHypothetical) return []
    const fact = mentionsMedication(sentence.raw)
      ? medicationOf(view, sentence)
      : ordinary(view, sentence, weights, subjects.get(sentence.index) ?? null)
    return fact ? [fact] : []
  })
}

interface Subject {
  readonly name: string
  readonly asked: Sentence
}

const subjectsOf = (exchanges: readonly Exchange[]): Map<number, Subject> =>
  new Map(
    exchanges.flatMap(({ question: { subject: name, sentence: asked }, replies }) =>
      name === null ? [] : (replies[0]?.sentences.slice(0, 4) ?? []).map(({ index }) => [index, { name, asked }] as const),
    ),
  )

function corrected(view: SessionView, sentence: Sentence, place: number): Fact[] {
  const risk = riskTopic(sentence.raw)
  if (risk !== null) return [riskCue(view, sentence, risk)]
  const taken = withLaterValue(view, sentence, place)
  if (taken) return [taken]
  const start = mentionsMedication(sentence.raw) ? null : beforeStale(view, spanOf(sentence))
  if (!start || lengthOf(start) < 3 || contentStems(wordsOf(textOf(start))).size === 0 || !isCleanQuote(start)) return []
  const later = view.room.sentences
    .slice(place + 1, place + 6)
    .filter((each) => each.person === sentence.person && each.turn - sentence.turn <= 2 && isSound(view, each))
  const value = later.findLast(
    (each) =>
      /^(?:(?:yes|yeah|it's|so) )?\W*[\p{L}-]+/u.test(each.raw) &&
      each.words.length >= 2 &&
      each.words.length <= 6 &&
      !/^(?:no|not)\b/i.test(each.clean) &&
      numbersIn(each.clean).size > 0,
  )
  if (!value) return []
  const spans = [start, spanOf(value)]
  return [
    factOf({
      kind: 'client',
      topic: topicOf(sentence.clean),
      text: `${sentence.person.name} said ${spans.map(quoted).join(', ')}`,
      spans,
      score: 3.2,
    }),
  ]
}

function withLaterValue(view: SessionView, sentence: Sentence, place: number): Fact | null {
  const gone = view.stale.get(sentence.index) ?? []
  const [old] = gone
  if (!old || gone.length !== 1 || mentionsMedication(sentence.raw)) return null
  const text = sentence.segment.text
  const first = text.slice(old.from, old.to)
  const isInside = /\s/.test(first.trim())
  const later = isInside ? null : laterValue(view, sentence, place, weekday.test(first))
  if (!isInside && later === null) return null
  const whole = `${text.slice(sentence.from, old.from)}${later === null ? '' : textOf(later)}${text.slice(old.to, sentence.to)}`
  const reworded = rewordFirstPerson(cleanText(whole), sentence.person)
  if (reworded === null) return null
  return factOf({
    kind: 'client',
    topic: topicOf(sentence.clean),
    text: written(reworded, view.names),
    spans: [wholeSpan(sentence), ...(later ? [later] : [])],
    support: 'paraphrase',
    score: 3.2,
  })
}

function laterValue(view: SessionView, sentence: Sentence, place: number, isDay: boolean): Span | null {
  const pattern = isDay ? weekday : new RegExp(`\\b${numberPattern}\\b`, 'i')
  for (const each of view.room.sentences.slice(place + 1, place + 4)) {
    if (each.person !== sentence.person || each.turn - sentence.turn > 2 || each.words.length > 9) continue
    const match = pattern.exec(each.raw)
    const span = match ? { sentence: each, from: each.from + match.index, to: each.from + match.index + match[0].length } : null
    if (span && !isStale(view, span)) return span
  }
  return null
}

function riskCue(view: SessionView, sentence: Sentence, topic: string): Fact {
  const whole = spanOf(sentence)
  const span = lengthOf(whole) <= 32 ? whole : (quotable(sentence, 32, null) ?? whole)
  const isOther = notTheSpeaker.test(sentence.clean) || sentence.isReported
  const isHedged = sentence.isHypothetical || /\bif\b/i.test(sentence.clean)
  const isNegated = /\b(?:not|never|no)\b|n't\b/i.test(sentence.clean)
  const name = sentence.person.name
  return factOf({
    kind: sentence.person.role === 'other' ? 'collateral' : 'finding',
    topic,
    text: `${name} said ${quoted(span)}${isOther ? ' (about or from somebody else)' : ''}`,
    spans: [span],
    finding: isOther || isHedged || isNegated || sentence.person.role === 'other' ? null : { topic, state: 'stated' },
    safety: true,
    must: true,
    score: 4 - (isOther ? 1 : 0) + (isStale(view, span) ? -2 : 0),
  })
}

const drugsIn = (text: string): number => new Set(wordsOf(text).flatMap((word) => drugIn(word) ?? [])).size

function medicationOf(view: SessionView, sentence: Sentence): Fact | null {
  if (!mentionsMedication(sentence.raw)) return null
  const part = quotable(sentence, 24, null)
  const whole = spanOf(sentence)
  const span = part !== null && drugsIn(textOf(part)) >= drugsIn(textOf(whole)) ? part : lengthOf(whole) <= 40 ? whole : part
  if (!span || isStale(view, span) || sentence.isSmallTalk) return null
  const ownWords = textOf(span)
  if (lengthOf(span) < 4 && numbersIn(ownWords).size === 0) return null
  const isOther =
    notTheSpeaker.test(sentence.clean) ||
    (/\b(?:he|she|they|him|her|them)(?:'s|'re|'d)?\b/i.test(sentence.clean) && !/\b(?:i|i'm|i've|me|my)\b/i.test(sentence.clean))
  const drug = drugIn(ownWords) === null && !isOther ? drugNear(view, sentence.turn) : null
  const lead = drug === null ? '' : `${drug.drug}: `
  const hasName = drug !== null || drugIn(sentence.raw) !== null
  return factOf({
    kind: sentence.person.role === 'other' ? 'collateral' : 'medication',
    topic: isOther ? 'history' : 'medication',
    text: `${lead}${sentence.person.name} said ${quoted(span)}${isOther && !/^["']?my /i.test(ownWords) ? ' (about somebody else)' : ''}`,
    spans: drug === null ? [span] : [wholeSpan(drug.sentence), span],
    must: hasName && !isOther,
    safety: !isOther,
    score: isOther ? 0.2 : 2,
  })
}

const ofRelative =
  /^(?:(?:and|but|well|yeah|no|yes)[, ]+)*my (?:mum|mom|mother|dad|father|brother|sister|aunt|uncle|cousin|grand\w+|nan|parents|family)(?:'s)?\b(?!.*\b(?:i|i'm|i've|me)\b)/i

const orphan = /^(?:it|it's|that|that's|this|these|those|he|he's|she|she's|they|they're|there|him|her|them|same|which|because)\b/i

function ordinary(view: SessionView, sentence: Sentence, weights: TermWeights, subject: Subject | null): Fact | null {
  if (sentence.isSmallTalk || sentence.words.length < 3 || tellsThought(view, sentence)) return null
  const isOther = sentence.person.role === 'other'
  const reworded = hasStale(view, sentence) || isOther ? null : rewordFirstPerson(sentence.clean, sentence.person)
  const span = reworded === null ? quotable(sentence, 22, null) : spanOf(sentence)
  if (!span || isStale(view, span)) return null
  const length = reworded === null ? lengthOf(span) : sentence.words.length
  const isOrphan = orphan.test(textOf(span))
  if (reworded === null && (length < 4 || (isOrphan && subject === null && length < 6))) return null
  const own = /\b(?:i|i'm|i've|me|my)\b/i.test(sentence.clean)
  let score = interestOf(sentence.clean, sentence.stems, weights) + 0.6 * uptakeOf(view.room, sentence)
  if (sentence.turn < view.room.opening + (view.room.closing - view.room.opening) / 4) score += 0.3
  if (isOrphan) score -= 0.9
  if (!own) score -= 0.8
  if (reworded === null) score -= 0.6 + (sentence.isReported ? 0.2 : 0)
  if (length < 6) score -= 0.4
  if (sentence.stems.size < 2 && numbersIn(sentence.clean).size === 0 && symptomTopic(sentence.clean) === null) score -= 0.5
  if (!isCleanQuote(span)) score -= 0.3
  if (evaluation.test(sentence.clean)) score += 0.2
  const tail = reworded === null ? null : fragmentAfter(view, sentence)
  const text =
    reworded === null
      ? `${sentence.person.name} said ${quoted(span)}`
      : `${written(reworded, view.names)}${tail ? `, ${lowered(textOf(tail), sentence.person)}` : ''}`
  const isNamed = subject !== null && (isOrphan || reworded !== null)
  return factOf({
    kind: isOther ? 'collateral' : changeTalk.test(sentence.clean) ? 'goal' : 'client',
    topic: ofRelative.test(sentence.clean) ? 'history' : topicOf(sentence.clean),
    text: isNamed ? `${subject.name}: ${text}` : text,
    spans: [...(isNamed ? [wholeSpan(subject.asked)] : []), span, ...(tail ? [tail] : [])],
    support: reworded === null ? 'stated' : 'paraphrase',
    score:
      score +
      (changeTalk.test(sentence.clean) && sentence.turn < view.planFrom && sentence.stems.size > 2 ? 1.2 : 0) +
      (tail ? 0.5 : 0) +
      (isNamed ? (symptomTopic(subject.name) === null ? 1 : 1.6) : 0),
  })
}

function fragmentAfter(view: SessionView, sentence: Sentence): Span | null {
  const next = view.room.sentences.find((each) => each.index === sentence.index + 1)
  const isRest = next?.person === sentence.person && next.turn === sentence.turn && next.isFragment
  if (!next || !isRest || next.words.length > 7 || next.words.length < 2 || !isSound(view, next)) return null
  const isBare = timeOrNumber.test(next.clean) && !/\b(?:i|you|my|your|we|our|no|not)\b/i.test(next.clean)
  return isBare ? spanOf(next) : null
}

const timeOrNumber =
  /\b(?:days?|weeks?|times?|hours?|minutes|nights?|months?|years?|once|twice|every|half|\d+|one|two|three|four|five|six|seven|eight|nine|ten|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b/i

const lowered = (text: string, person: Person): string =>
  text.startsWith(person.name) || /^(?:I|Mon|Tues|Wed|Thurs|Fri|Sat|Sun)/.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1)
