import type { AnalysisBody } from '#contract/model/analysis.ts'
import { withoutOpeners, withoutTrail } from '#engines/language/rules/clean.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import type { Exchange } from '#engines/language/rules/exchanges.ts'
import { interventionKinds } from '#engines/language/rules/lexicon/interventions.ts'
import { changeTalk, goalWords } from '#engines/language/rules/lexicon/life.ts'
import { spanOf, textOf, wholeSpan, questionSpan } from '#engines/language/rules/quotes.ts'
import { hasStale, isUsable, tellsThought } from '#engines/language/rules/session.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/rules/tokens.ts'
import type { Sentence } from '#engines/language/rules/types.ts'
import { topicKinds } from './topic-names.ts'

type Goal = AnalysisBody['goals'][number]

const mostSaid = 8
const mostQuotes = 3
const asksForGoal = interventionKinds.find(({ name }) => name === 'Goal setting')?.pattern ?? /\bgoals?\b/i
/** Ways of speaking that only look like wanting something: "I have to say", "I need to know if". */
const notWanted =
  /\bi(?:'m)? (?:have to|need to|want to|going to|'d like to) (?:say|tell you|ask you|admit|be honest|know (?:if|what|how)|think)\b/i

/** As much a fear as a plan: "I'm going to faint". */
const foretells = /\b(?:going|have) to\b/i

/** Goals the caller gave, with where they were spoken of; and the goals the client said, in their words. */
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
  return { text, source: 'given', evidence: evidenceOf(about.slice(0, mostQuotes).map(spanOf)) }
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
    const same = kept.find(({ sentence }) => shareOf(each.sentence.stems, sentence.stems) >= 0.7)
    if (same) continue
    kept.push(each)
  }
  return kept
    .slice(0, mostSaid)
    .map(({ sentence, evidence }) => ({ text: textOf(spanOf(sentence)), evidence, source: 'said' as const }))
}

/** Own, about something, and not what anybody says while talking. */
function isWish(view: SessionView, sentence: Sentence): boolean {
  const body = withoutTrail(withoutOpeners(sentence.clean))
  return (
    sentence.person.role === 'client' &&
    isUsable(view, sentence) &&
    changeTalk.test(body) &&
    !notWanted.test(body) &&
    !tellsThought(view, sentence) &&
    !/\b(?:not|never)\b|n't\b/i.test(body.split(' ').slice(0, 4).join(' ')) &&
    !sentence.isHypothetical &&
    !sentence.isReported &&
    !hasStale(view, sentence) &&
    sentence.words.length >= 5 &&
    sentence.words.length <= 26 &&
    (goalWords.test(body) || (!foretells.test(body) && topicKinds.some(({ pattern }) => pattern.test(body))))
  )
}
