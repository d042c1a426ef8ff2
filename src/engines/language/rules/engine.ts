import { AppError } from '#contract/errors.ts'
import type { NoteBody, NoteCheck } from '#contract/model/note.ts'
import type { Engine } from '#contract/model/transcript.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { DraftRequest, LanguagePort } from '../port.ts'
import { noticesOf } from '../notices.ts'
import { findingTopic } from './questions.ts'
import { choose, wordBudget } from './choose.ts'
import { factsOfClients } from './clients.ts'
import { draftFromData } from './from-data.ts'
import { factsOfInterventions, factsOfResponses } from './interventions.ts'
import { termWeights, interestOf, topicOf } from './interest.ts'
import { omissionsOf } from './omissions.ts'
import { exchangesOf, type Exchange } from './answers.ts'
import { factsOfPairs } from './pairs.ts'
import { formOf, type Form } from './forms.ts'
import { isGroupNote, memberNote, withheld } from './group-member.ts'
import { place } from './place.ts'
import { factsOfPlan } from './plan.ts'
import { factsOfRatings } from './ratings.ts'
import { factsOfReflections } from './reflections.ts'
import { factsOfRestatements } from './restatements.ts'
import { readRoles, type RoleReading } from './people.ts'
import { readRoom } from './room.ts'
import { viewOf, type SessionView, isSound, isStale, isUsable, groundBefore, hasStale } from './session.ts'
import type { Fact, Sentence, Span } from './types.ts'
import { factOf, written } from './facts.ts'
import { mentionsMedication, riskTopic } from './lexicon/topics.ts'
import { quotable, quoted, isCleanQuote, spanOf, wholeSpan } from './quotes.ts'
import { withoutOpeners } from './clean.ts'
import { marksOf } from './statements.ts'
import { rewordSecondPerson } from './gate.ts'
import { numbersIn } from '../text/numbers.ts'

const engine: Engine = { name: 'rules', version: '1', model: null }

/** Drafts notes by fixed rules, without a model. Deterministic: the same request gives the same note. */
export const rulesLanguage = (): LanguagePort => ({
  engine,
  draft: async (request, signal) => {
    if (signal.aborted) throw new AppError('cancelled')
    return draft(request)
  },
  draftFromData: async (request) => draftFromData(request, engine),
})

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
  // In a group, a speaker who sounds like a leader may be another member, so no one is named.
  const told: RoleReading = member !== null && reading.kind === 'unknown' ? { ...reading, likely: null } : reading
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
    checks: [...checksOf(shown, told, exchanges, chosen, omissions.length), ...(member?.checks ?? [])],
    engine,
  }
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

/** For a session whose speaker roles are unknown or seem swapped: quotes that name no speaker. */
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
        safety: risk !== null || mentionsMedication(sentence.raw),
        score: interestOf(sentence.clean, sentence.stems, weights),
      }),
    ]
  })
}

function factsOfScores(view: SessionView): Fact[] {
  const best = new Map<string, Fact>()
  for (const sentence of view.room.sentences) {
    const name = instrumentName.exec(sentence.clean)?.[0]
    if (name === undefined || !isSound(view, sentence)) continue
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
  const earlierSpan = earlier && isCleanQuote(spanOf(earlier)) ? spanOf(earlier) : null
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

function checksOf(
  view: SessionView,
  reading: RoleReading,
  exchanges: readonly Exchange[],
  chosen: readonly Fact[],
  omitted: number,
): NoteCheck[] {
  const named = reading.kind === 'unknown' ? reading.likely : null
  const likely = named === null ? '' : ` By the wording, ${named} sounds like the therapist.`
  return noticesOf([
    ['speakers-unknown', reading.kind === 'unknown', { likely }],
    ['speakers-swapped', reading.kind === 'swapped'],
    ['safety-of-draft', chosen.filter((fact) => fact.safety).length],
    ['negative-question', exchanges.some(({ question }) => question.isNegative && findingTopic(question.body) !== null)],
    ['findings-differ', contradicts(chosen)],
    ['words-to-the-writer', view.room.sentences.some((sentence) => sentence.isInstruction)],
    ['corrected-values', view.stale.size > 0],
    ['omissions', omitted],
  ])
}

function contradicts(chosen: readonly Fact[]): boolean {
  const states = new Map<string, Set<string>>()
  for (const fact of chosen) {
    if (fact.finding === null) continue
    const key = `${fact.finding.topic}:${fact.person?.id ?? ''}`
    states.set(key, (states.get(key) ?? new Set()).add(fact.finding.state))
  }
  return [...states.values()].some((each) => each.has('stated') && each.has('denied'))
}

const instrumentName =
  /\b(?:PHQ[- ]?(?:9|2|15|nine)|GAD[- ]?(?:7|seven|2)|PCL[- ]?5|BDI(?:[- ]?(?:II|2))?|BAI|AUDIT(?:-C)?\b(?= (?:is|was|score|total|came|of))|DAST|DASS(?:-21)?|HADS|MADRS|HAM-?[DA]|Y-?BOCS|OCI(?:-R)?|EDE-?Q|ISI|OQ[- ]?45|CORE[- ]?(?:10|OM)|WSAS|SPIN|LSAS|ORS|SRS|C-?SSRS|MDQ|EPDS|WHO-?5|K-?10|PSWQ|IES-?R|questionnaire)\b/i
