import { AppError } from '#contract/errors.ts'
import type { NoteBody, Statement } from '#contract/model/note.ts'
import type { Engine } from '#contract/model/transcript.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { DraftRequest, LanguagePort } from '../port.ts'
import { checksOf } from './checks.ts'
import { choose, wordBudget } from './choose.ts'
import { factsOfClients } from './clients.ts'
import { contentId } from './evidence.ts'
import { draftFromData } from './from-data.ts'
import { factsOfInterventions, factsOfResponses } from './interventions.ts'
import { termWeights, interestOf, topicOf } from './interest.ts'
import { omissionsOf } from './omissions.ts'
import { exchangesOf, type Exchange } from './exchanges.ts'
import { factsOfPairs } from './pairs.ts'
import { formOf, type Form } from './forms.ts'
import { isGroupNote, memberNote, withheld } from './group-member.ts'
import { place } from './place.ts'
import { factsOfPlan } from './plan.ts'
import { factsOfRatings } from './ratings.ts'
import { factsOfReflections } from './reflections.ts'
import { factsOfRestatements } from './restatements.ts'
import { readRoles, type RoleReading } from './roles.ts'
import { readRoom } from './room.ts'
import { viewOf, type SessionView, isStale, isUsable, groundBefore, hasStale } from './session.ts'
import type { Fact, Sentence, Span } from './types.ts'
import { factOf, written } from './facts.ts'
import { mentionsMedication } from './lexicon/medication.ts'
import { riskTopic } from './lexicon/risk.ts'
import { quotable, quoted, isCleanQuote, spanOf, textOf, wholeSpan } from './quotes.ts'
import { withoutOpeners } from './clean.ts'
import { rewordSecondPerson } from './gate.ts'
import { instrumentName } from './lexicon/instruments.ts'
import { numbersIn } from './numbers.ts'

const engine: Engine = { name: 'rules', version: '1', model: null }

/** The engine without a model: extractive and deterministic. The same request gives the same bytes. */
export function rulesLanguage(): LanguagePort {
  return {
    engine,
    draft: async (request, signal) => {
      if (signal.aborted) throw new AppError('cancelled')
      return draft(request)
    },
    draftFromData: async (request) => draftFromData(request, engine),
  }
}

function draft(request: DraftRequest): NoteBody {
  const room = readRoom(request)
  const others = room.turns.filter((turn) => turn.person.role !== 'therapist')
  if (others.length === 0) throw new AppError('nothing-said')
  const reading = readRoles(room)
  const view = viewOf(room)
  const member = isGroupNote(request) ? memberNote(view, request) : null
  const shown = member === null ? view : member.view
  const exchanges = exchangesOf(shown)
  const form = formOf(request.template, request.own ?? null, shown.room.people)
  const read = reading.kind === 'fine' ? factsOf(shown, exchanges, request, form) : factsOfUnknown(shown)
  const facts = member === null ? read : read.filter((fact) => member.keeps(fact))
  const fitting = facts.filter((fact) => form.plans.some((plan) => plan.takes(fact)))
  const isFitting = new Set(fitting)
  const spoken = room.turns.reduce((sum, turn) => sum + turn.words.length, 0)
  const budget = wordBudget(spoken, minutesOf(request), form.isLong, request.own?.style.length)
  const { chosen, left, faulty } = choose(fitting, view.names, budget)
  const omissions = omissionsOf(shown, chosen, [...left, ...facts.filter((fact) => !isFitting.has(fact))])
  const unsupported = faulty
    .map(({ fact, reason }) => ({
      text: cutText(fact.text, MAX_PARAGRAPH),
      reason: cutText(`${reason} not found in its evidence`, 200),
    }))
    .slice(0, 500)
  return {
    session_id: request.session?.id ?? null,
    client_id: request.client?.id ?? null,
    template: request.template,
    sections: place(form, shown.room, chosen, [...(member?.statements ?? []), ...marksOf(request)]),
    unsupported: member === null ? unsupported : withheld(unsupported, member),
    omissions,
    checks: [
      ...checksOf(shown, member === null ? reading : nobodyNamed(reading), exchanges, chosen, omissions.length),
      ...(member?.checks ?? []),
    ],
    engine,
  }
}

/** Who sounds like a leader may be another member. */
function nobodyNamed(reading: RoleReading): RoleReading {
  return reading.kind === 'unknown' ? { ...reading, likely: null } : reading
}

function factsOf(view: SessionView, exchanges: readonly Exchange[], request: DraftRequest, form: Form): Fact[] {
  const weights = termWeights(view.room)
  const reflections = factsOfReflections(view)
  const ratings = factsOfRatings(view, exchanges)
  const rated = new Set(ratings.flatMap((fact) => fact.spans.map((span) => span.sentence.index)))
  const unrated = exchanges.filter(
    (exchange) => !rated.has(exchange.question.sentence.index) || (exchange.replies[0]?.words.length ?? 0) > 8,
  )
  const interventions = factsOfInterventions(view, reflections.length)
  return [
    ...factsOfScores(view),
    ...ratings,
    ...factsOfPairs(view, unrated, weights),
    ...factsOfRestatements(view, weights),
    ...factsOfClients(view, exchanges, weights),
    ...reflections,
    ...factsOfPlan(view, request.session),
    ...(form.isLong ? [] : interventions),
    ...(form.wantsResponses ? factsOfResponses(view, interventions) : []),
  ]
}

function minutesOf(request: DraftRequest): number | null {
  if (request.session) return request.session.duration_minutes
  const ends = request.segments.reduce((latest, segment) => Math.max(latest, segment.end_ms ?? 0), 0)
  return ends > 0 ? ends / 60_000 : null
}

/** What the therapist typed while it happened enters in their own words. */
export function marksOf(request: DraftRequest): Statement[] {
  return (request.marks ?? [])
    .filter((mark) => mark.text.trim() !== '')
    .map((mark) => {
      const text = cutText(`${clockOf(mark.at_ms)} ${mark.text.trim()}`, MAX_PARAGRAPH)
      return {
        id: contentId('st', text, []),
        text,
        evidence: [],
        support: 'clinician_entered',
        origin: 'person',
        finding: null,
        safety: false,
        confirmed_at: null,
      }
    })
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number): string => String(value).padStart(2, '0')
  return `[${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}]`
}

/** Nobody knows who speaks: nothing is reworded, nothing is credited to anyone. */
function factsOfUnknown(view: SessionView): Fact[] {
  const weights = termWeights(view.room)
  return view.room.sentences.flatMap((sentence) => {
    const risk = riskTopic(sentence.raw)
    if (sentence.isQuestion || (risk === null && (!isUsable(view, sentence) || sentence.isSmallTalk || sentence.isHypothetical)))
      return []
    const span = quotable(sentence, risk === null ? 20 : 32, null)
    if (!span || isStale(view, span) || sentence.isInstruction || sentence.words.length < 4) return []
    return [
      factOf({
        kind: 'client',
        topic: topicOf(sentence.clean),
        text: `Said in session: ${quoted(span)}`,
        spans: [span],
        person: null,
        support: 'stated',
        safety: risk !== null || mentionsMedication(sentence.raw),
        score: interestOf(sentence.clean, sentence.stems, weights),
      }),
    ]
  })
}

/** Scores read aloud: the sentence that names the questionnaire and its number, with who gave the number. */
function factsOfScores(view: SessionView): Fact[] {
  const best = new Map<string, Fact>()
  for (const sentence of view.room.sentences) {
    const name = instrumentName.exec(sentence.clean)?.[0]
    if (name === undefined || !isUsable(view, sentence) || hasStale(view, sentence)) continue
    const digitsOfName = numbersIn(name)
    const numbers = [...numbersIn(sentence.clean)].filter((number) => !digitsOfName.has(number))
    if (numbers.length === 0) continue
    best.set(name.toLowerCase(), scoreFact(view, sentence, numbers))
  }
  return [...best.values()]
}

function scoreFact(view: SessionView, sentence: Sentence, numbers: readonly string[]): Fact {
  const grounds = groundBefore(view, sentence.turn, 3).filter(
    (each) => [...numbersIn(each.clean)].some((number) => numbers.includes(number)) && !hasStale(view, each),
  )
  const earlier = groundBefore(view, sentence.turn, 3).find(
    (each) => /\b(?:was|last (?:month|time|week))\b/i.test(each.clean) && numbersIn(each.clean).size > 0 && !hasStale(view, each),
  )
  const body = withoutOpeners(sentence.clean).replace(/[.?!,\s]+$/, '')
  const person = sentence.person.role === 'client' ? sentence.person : (view.room.clients[0] ?? sentence.person)
  const text = sentence.person.role === 'therapist' ? rewordSecondPerson(body, person) : null
  const earlierSpan = earlier && isCleanQuote(textOf(spanOf(earlier))) ? spanOf(earlier) : null
  const spans: Span[] = [...grounds.slice(0, 2).map(spanOf), wholeSpan(sentence), ...(earlierSpan ? [earlierSpan] : [])]
  const line = text === null ? `${sentence.person.name} said ${quoted(spanOf(sentence))}` : written(text, view.names)
  return factOf({
    kind: 'score',
    topic: 'scores',
    text: `${line}${earlierSpan ? `; ${earlierSpan.sentence.person.name} said ${quoted(earlierSpan)}` : ''}`,
    spans,
    person: sentence.person,
    support: text === null ? 'stated' : 'paraphrase',
    must: true,
    score: 3.8,
    covers: grounds.map((each) => each.index),
  })
}
