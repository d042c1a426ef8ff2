import type { AnalysisBody, NextQuestion, RiskCue } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { answerOf, type Exchange } from '#engines/language/rules/answers.ts'
import { questionSpan, spanOf, wholeSpan, evidenceOf } from '#engines/language/rules/quotes.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import type { Homework } from './changes.ts'

const MAX_OF_EACH = 6

const putsOff =
  /\b(?:(?:come|get|go|circle) back to (?:that|this|it|the|your)\b(?!.{0,20}\bnow\b)|(?:talk|speak|pick (?:that|this|it) up|look at (?:that|this|it)) .{0,30}\b(?:next (?:time|week|session|appointment))|(?:park|save|leave|keep) (?:that|this|it) (?:for|until|till) (?:next|another|later|our)|another (?:time|session)\b|(?:no|not enough|out of|run out of) time (?:today|for (?:that|this|it)))/i

const isTherapists = /^Therapist\b/

const asking =
  (kind: NextQuestion['kind'], rationale: string, evidence_of: NextQuestion['evidence_of'] = 'this_session') =>
  (text: string, evidence: readonly Evidence[]): NextQuestion => ({ kind, text, rationale, evidence: [...evidence], evidence_of })

const askAboutHomework = asking('homework', 'This was agreed on in this session.')
const askWhatBecame = asking(
  'homework',
  'This was agreed on in the previous session. Nothing about it was found in this one.',
  'session_before',
)
const askAgain = asking('unanswered', 'This question was asked and not answered.')
const takeUp = asking('postponed', 'This was put off in this session.')
const askAboutGoal = asking(
  'goal',
  'The client named this goal in the previous session. It didn’t come up in this one.',
  'session_before',
)

export function nextQuestionsOf(parts: {
  view: SessionView
  exchanges: readonly Exchange[]
  cues: readonly RiskCue[]
  homework: readonly Homework[]
  changes: AnalysisBody['changes']
}): NextQuestion[] {
  const { view, exchanges, cues, homework, changes } = parts
  const today = new Set(homework.map(({ text }) => text))
  return [
    ...cues.filter(({ about }) => about !== 'somebody_else').map(fromCue),
    ...homework
      .filter(({ text }) => !isTherapists.test(text))
      .slice(0, MAX_OF_EACH)
      .map(({ text, evidence }) => askAboutHomework(`Ask how this went: ${text}`, evidence)),
    ...unreviewed(changes, today),
    ...unanswered(exchanges),
    ...postponed(view),
    ...goalsLeft(changes),
  ]
}

function fromCue(cue: RiskCue): NextQuestion {
  const isTakenUp = cue.taken_up.length > 0
  const question = cue.asked[0]?.quote ?? null
  const words = question === null ? `"${cue.quote}"` : `"${cue.quote}", in answer to "${question}"`
  return {
    kind: 'risk',
    text: isTakenUp ? `Decide whether to ask again about ${words}` : `Decide whether to ask about ${words}`,
    rationale: isTakenUp
      ? 'These words came up and were asked about in this session. You decide what they mean.'
      : 'These words came up, and no later question about them was found. You decide what they mean.',
    evidence: [...cue.asked, evidenceOfCue(cue), ...cue.taken_up],
    evidence_of: 'this_session',
  }
}

function evidenceOfCue({ segment_id, start_ms, end_ms, quote }: RiskCue): Evidence {
  return { segment_id, start_ms, end_ms, quote, quote_sha256: null }
}

const unreviewed = (changes: AnalysisBody['changes'], today: ReadonlySet<string>): NextQuestion[] =>
  (changes?.items ?? [])
    .filter(({ kind, now, text }) => kind === 'homework' && now.length === 0 && !today.has(text))
    .slice(0, MAX_OF_EACH)
    .map(({ text, before }) => askWhatBecame(`Follow up on this: ${text}`, before))

const unanswered = (exchanges: readonly Exchange[]): NextQuestion[] =>
  exchanges
    .flatMap(({ question, replies }) => {
      const [reply] = replies
      const first = reply?.sentences[0]
      if (!reply || !first || answerOf(reply.sentences) !== 'declined') return []
      const asked = questionSpan(question.sentence)
      const evidence = evidenceOf([asked, ...reply.sentences.slice(0, 2).map(wholeSpan)])
      return [askAgain(`Decide whether to come back to "${evidence[0]?.quote ?? ''}"`, evidence)]
    })
    .slice(0, MAX_OF_EACH)

const postponed = (view: SessionView): NextQuestion[] =>
  view.room.sentences
    .filter(
      (sentence) =>
        putsOff.test(sentence.clean) && !sentence.isReported && !sentence.isInstruction && sentence.turn >= view.room.opening,
    )
    .slice(0, MAX_OF_EACH)
    .map((sentence) => {
      const before = view.room.sentences
        .filter(({ index, turn }) => index < sentence.index && turn >= sentence.turn - 1)
        .slice(-1)
      const evidence = evidenceOf([...before.map(spanOf), spanOf(sentence)])
      return takeUp(`Come back to what was put off: "${evidence.at(-1)?.quote ?? ''}"`, evidence)
    })

const goalsLeft = (changes: AnalysisBody['changes']): NextQuestion[] =>
  (changes?.items ?? [])
    .filter(({ kind, now }) => kind === 'goal' && now.length === 0)
    .slice(0, 3)
    .map(({ text, before }) => askAboutGoal(`Ask about progress on this goal: "${text}"`, before))
