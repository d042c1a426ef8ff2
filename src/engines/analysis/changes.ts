import type { AnalysisBody, SessionChange } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { exchangesOf, type Exchange } from '#engines/language/rules/answers.ts'
import { isGroupNote, memberNote } from '#engines/language/rules/group-member.ts'
import { numbersIn } from '#engines/language/text/numbers.ts'
import { spanOf, textOf, wholeSpan, questionSpan, evidenceOf } from '#engines/language/rules/quotes.ts'
import { readRoom } from '#engines/language/rules/room.ts'
import { isSound, isUsable, viewOf, tellsThought, type SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/text/words.ts'
import type { Sentence } from '#engines/language/rules/types.ts'
import { withoutOpeners, withoutTrail } from '#engines/language/rules/clean.ts'
import { interventionKinds } from '#engines/language/rules/lexicon/interventions.ts'
import { changeTalk, goalWords } from '#engines/language/rules/lexicon/signs.ts'
import { topicKinds, topicsOf, quoteOf, type Topic } from './topics.ts'
import type { SessionTime } from '#engines/language/rules/plan-parts.ts'
import { faultOf } from '#engines/language/rules/facts.ts'
import { factsOfPlan } from '#engines/language/rules/plan.ts'
import { rolesByExclusion, type AnalysisRequest, type PreviousSession } from './request.ts'

const MAX_TOPICS = 6
const MAX_GOALS = 5
const MAX_HOMEWORK = 8
const MAX_QUOTES = 2

export function changesSince(
  request: AnalysisRequest,
  previous: PreviousSession,
  view: SessionView,
  topics: readonly Topic[],
): NonNullable<AnalysisBody['changes']> {
  const { before, plan } = sessionBefore(previous, request)
  const items = [
    ...homeworkChanges({ ...previous, plan }, before, view),
    ...topicChanges(topicsOf(before, []), topics),
    ...goalChanges(before, view),
  ]
  return { session_id: previous.session_id, starts_at: previous.starts_at, items }
}

function sessionBefore(
  previous: PreviousSession,
  { client }: AnalysisRequest,
): Pick<PreviousSession, 'plan'> & { before: SessionView } {
  const asked = { session: previous.session ?? null, client, speakers: rolesByExclusion(previous.speakers) }
  const heard = viewOf(readRoom({ ...asked, segments: previous.segments }))
  if (!isGroupNote(asked)) return { before: heard, plan: previous.plan }
  const { view, holdsNothingOfOthers } = memberNote(heard, asked)
  const kept = new Set(view.room.sentences.map(({ segment }) => segment.id))
  const plan = previous.plan.filter(
    ({ text, evidence }) => holdsNothingOfOthers(text) && evidence.every(({ segment_id }) => kept.has(segment_id)),
  )
  return { before: view, plan }
}

function homeworkChanges(previous: PreviousSession, before: SessionView, view: SessionView): SessionChange[] {
  const spoken = homeworkOf(before, previous)
  const written = previous.plan.map(({ text, evidence }): Homework => ({ text, evidence, stems: contentStems(wordsOf(text)) }))
  return (spoken.length > 0 ? spoken : written)
    .filter(({ evidence }) => evidence.some(({ quote }) => quote !== null))
    .slice(0, MAX_HOMEWORK)
    .map(({ text, evidence, stems }) => ({
      kind: 'homework' as const,
      text,
      before: [...evidence].slice(0, MAX_QUOTES),
      now: saidAbout(view, stems),
    }))
}

function saidAbout(view: SessionView, stems: ReadonlySet<string>): Evidence[] {
  const about = view.room.sentences
    .filter((sentence) => isUsable(view, sentence) && sentence.turn < view.planFrom && sharedWords(sentence, stems) >= 2)
    .toSorted(
      (left, right) => own(right) - own(left) || sharedWords(right, stems) - sharedWords(left, stems) || left.index - right.index,
    )
  return evidenceOf(about.slice(0, MAX_QUOTES).map(spanOf))
}

const own = ({ person, isQuestion }: Sentence): number => (person.role !== 'therapist' && !isQuestion ? 1 : 0)

function sharedWords(sentence: Sentence, stems: ReadonlySet<string>): number {
  let shared = 0
  for (const stem of sentence.stems) if (stems.has(stem)) shared += 1
  return shared
}

const topicChanges = (before: readonly Topic[], now: readonly Topic[]): SessionChange[] =>
  now
    .flatMap((topic) => {
      const then = before.find(({ name }) => name === topic.name)
      if (!then) return []
      const quotes = { before: tellingQuotes(then), now: tellingQuotes(topic) }
      return quotes.before.length === 0 || quotes.now.length === 0
        ? []
        : [{ kind: 'topic' as const, text: topic.name, ...quotes }]
    })
    .slice(0, MAX_TOPICS)

/** Prefers quotes with a number, so that "five hours" can be compared with "seven hours" in the next session. */
function tellingQuotes({ said, pattern }: Topic): Evidence[] {
  const chosen = said
    .filter(({ isQuestion }) => !isQuestion)
    .toSorted((left, right) => hasNumber(right) - hasNumber(left) || left.index - right.index)
    .flatMap((sentence) => quoteOf(sentence, pattern) ?? [])
    .slice(0, MAX_QUOTES)
  return evidenceOf(chosen.toSorted((left, right) => left.sentence.index - right.sentence.index))
}

const hasNumber = ({ clean }: Sentence): number => (numbersIn(clean).size > 0 ? 1 : 0)

const goalChanges = (before: SessionView, view: SessionView): SessionChange[] =>
  goalsOf(before, exchangesOf(before), [])
    .slice(0, MAX_GOALS)
    .map(({ text, evidence }) => ({ kind: 'goal' as const, text, before: evidence, now: saidOfGoal(view, text) }))

function saidOfGoal(view: SessionView, text: string): Evidence[] {
  const wanted = contentStems(wordsOf(text))
  const about = view.room.sentences.filter(
    (sentence) => isUsable(view, sentence) && own(sentence) === 1 && wanted.size > 0 && shareOf(wanted, sentence.stems) >= 0.5,
  )
  return evidenceOf(about.slice(0, MAX_QUOTES).map(spanOf))
}

export interface Homework {
  readonly text: string
  readonly evidence: readonly Evidence[]
  readonly stems: ReadonlySet<string>
}

export function homeworkOf(view: SessionView, held: SessionTime | null): Homework[] {
  const facts = factsOfPlan(view, held).filter((fact) => fact.kind === 'plan' && faultOf(fact, view.names) === null)
  const kept: Homework[] = []
  for (const { text, spans } of facts.toReversed()) {
    const stems = new Set([...contentStems(wordsOf(text)), ...spans.flatMap(({ sentence }) => [...sentence.stems])])
    const own = contentStems(wordsOf(text))
    if (kept.some((later) => shareOf(own, later.stems) >= 0.7)) continue
    kept.push({ text, evidence: evidenceOf(spans), stems })
  }
  return kept.toReversed()
}

type Goal = AnalysisBody['goals'][number]

const MAX_SAID = 8
const MAX_GOAL_QUOTES = 3
const asksForGoal = interventionKinds.find(({ name }) => name === 'Goal setting')?.pattern ?? /\bgoals?\b/i
const notWanted =
  /\bi(?:'m)? (?:have to|need to|want to|going to|'d like to) (?:say|tell you|ask you|admit|be honest|know (?:if|what|how)|think)\b/i

/** "I'm going to faint" can be a fear as well as a plan. */
const foretells = /\b(?:going|have) to\b/i

export function goalsOf(view: SessionView, exchanges: readonly Exchange[], given: readonly string[]): Goal[] {
  return [...given.map((text) => givenGoal(view, text)), ...saidGoals(view, exchanges)]
}

function givenGoal(view: SessionView, text: string): Goal {
  const wanted = contentStems(wordsOf(text))
  const about = view.room.sentences
    .filter(
      (sentence) => isUsable(view, sentence) && shareOf(wanted, sentence.stems) >= (wanted.size > 2 ? 0.5 : 1) && wanted.size > 0,
    )
    .toSorted((left, right) => byClient(right) - byClient(left) || left.index - right.index)
  return { text, source: 'given', evidence: evidenceOf(about.slice(0, MAX_GOAL_QUOTES).map(spanOf)) }
}

const byClient = ({ person }: Sentence): number => (person.role === 'client' ? 1 : 0)

function saidGoals(view: SessionView, exchanges: readonly Exchange[]): Goal[] {
  const asked = exchanges.flatMap(({ question, replies }) => {
    const answer = replies[0]?.sentences.find(({ words }) => words.length >= 4)
    if (!asksForGoal.test(question.sentence.clean) || !answer || answer.person.role !== 'client' || answer.isQuestion) return []
    return [{ sentence: answer, evidence: evidenceOf([questionSpan(question.sentence), wholeSpan(answer)]) }]
  })
  const wished = view.room.sentences
    .filter((sentence) => isWish(view, sentence))
    .map((sentence) => ({ sentence, evidence: evidenceOf([spanOf(sentence)]) }))
  const kept: { sentence: Sentence; evidence: Goal['evidence'] }[] = []
  for (const each of [...asked, ...wished].toSorted((left, right) => left.sentence.index - right.sentence.index)) {
    if (!kept.some(({ sentence }) => shareOf(each.sentence.stems, sentence.stems) >= 0.7)) kept.push(each)
  }
  return kept
    .slice(0, MAX_SAID)
    .map(({ sentence, evidence }) => ({ text: textOf(spanOf(sentence)), evidence, source: 'said' as const }))
}

function isWish(view: SessionView, sentence: Sentence): boolean {
  const body = withoutTrail(withoutOpeners(sentence.clean))
  return (
    sentence.person.role === 'client' &&
    isSound(view, sentence) &&
    changeTalk.test(body) &&
    !notWanted.test(body) &&
    !tellsThought(view, sentence) &&
    !/\b(?:not|never)\b|n't\b/i.test(body.split(' ').slice(0, 4).join(' ')) &&
    !sentence.isHypothetical &&
    !sentence.isReported &&
    sentence.words.length >= 5 &&
    sentence.words.length <= 26 &&
    (goalWords.test(body) || (!foretells.test(body) && topicKinds.some(({ pattern }) => pattern.test(body))))
  )
}
