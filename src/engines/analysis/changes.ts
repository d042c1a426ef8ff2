import type { AnalysisBody, SessionChange } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { exchangesOf } from '#engines/language/rules/exchanges.ts'
import { isGroupNote, memberNote } from '#engines/language/rules/group-member.ts'
import { numbersIn } from '#engines/language/rules/numbers.ts'
import { spanOf } from '#engines/language/rules/quotes.ts'
import { readRoom } from '#engines/language/rules/room.ts'
import { isUsable, viewOf } from '#engines/language/rules/session.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/rules/tokens.ts'
import type { Sentence } from '#engines/language/rules/types.ts'
import { goalsOf } from './goals.ts'
import { homeworkOf } from './homework.ts'
import type { Homework } from './homework.ts'
import { quoteOf } from './quote-of.ts'
import { rolesByExclusion } from './roles.ts'
import type { AnalysisRequest, PreviousSession } from './request.ts'
import type { Topic } from './topics.ts'
import { topicsOf } from './topics.ts'

const mostTopics = 6
const mostGoals = 5
const mostHomework = 8
const mostQuotes = 2

/** What was said then and what is said now about the same matters, side by side. Which way it went is not said. */
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

/** Where that was a group, what is this member's of it. */
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
    .slice(0, mostHomework)
    .map(({ text, evidence, stems }) => ({
      kind: 'homework' as const,
      text,
      before: [...evidence].slice(0, mostQuotes),
      now: saidAbout(view, stems),
    }))
}

/** What this session says about a task: sentences before the new plan that share its words. */
function saidAbout(view: SessionView, stems: ReadonlySet<string>): Evidence[] {
  const about = view.room.sentences
    .filter((sentence) => isUsable(view, sentence) && sentence.turn < view.planFrom && sharedWords(sentence, stems) >= 2)
    .toSorted(
      (left, right) => own(right) - own(left) || sharedWords(right, stems) - sharedWords(left, stems) || left.index - right.index,
    )
  return evidenceOf(about.slice(0, mostQuotes).map(spanOf))
}

const own = ({ person, isQuestion }: Sentence): number => (person.role !== 'therapist' && !isQuestion ? 1 : 0)

function sharedWords(sentence: Sentence, stems: ReadonlySet<string>): number {
  let shared = 0
  for (const stem of sentence.stems) if (stems.has(stem)) shared += 1
  return shared
}

function topicChanges(before: readonly Topic[], now: readonly Topic[]): SessionChange[] {
  return now
    .flatMap((topic) => {
      const then = before.find(({ name }) => name === topic.name)
      if (!then) return []
      const quotes = { before: tellingQuotes(then), now: tellingQuotes(topic) }
      return quotes.before.length === 0 || quotes.now.length === 0
        ? []
        : [{ kind: 'topic' as const, text: topic.name, ...quotes }]
    })
    .slice(0, mostTopics)
}

/** Those with a number first: "five hours" then can be held against "seven hours" now. */
function tellingQuotes({ said, pattern }: Topic): Evidence[] {
  const chosen = said
    .filter(({ isQuestion }) => !isQuestion)
    .toSorted((left, right) => hasNumber(right) - hasNumber(left) || left.index - right.index)
    .flatMap((sentence) => quoteOf(sentence, pattern) ?? [])
    .slice(0, mostQuotes)
  return evidenceOf(chosen.toSorted((left, right) => left.sentence.index - right.sentence.index))
}

const hasNumber = ({ clean }: Sentence): number => (numbersIn(clean).size > 0 ? 1 : 0)

function goalChanges(before: SessionView, view: SessionView): SessionChange[] {
  return goalsOf(before, exchangesOf(before), [])
    .slice(0, mostGoals)
    .map(({ text, evidence }) => ({ kind: 'goal' as const, text, before: evidence, now: saidOfGoal(view, text) }))
}

function saidOfGoal(view: SessionView, text: string): Evidence[] {
  const wanted = contentStems(wordsOf(text))
  const about = view.room.sentences.filter(
    (sentence) => isUsable(view, sentence) && own(sentence) === 1 && wanted.size > 0 && shareOf(wanted, sentence.stems) >= 0.5,
  )
  return evidenceOf(about.slice(0, mostQuotes).map(spanOf))
}
