import type { RiskCue } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { answerOf } from '#engines/language/rules/answers.ts'
import { asksAfterGood } from '#engines/language/rules/denials.ts'
import { contentId, evidenceOf } from '#engines/language/rules/evidence.ts'
import type { Exchange } from '#engines/language/rules/exchanges.ts'
import { notTheSpeaker, riskTopic } from '#engines/language/rules/lexicon/risk.ts'
import { findingTopic } from '#engines/language/rules/questions.ts'
import { questionSpan, spanOf, wholeSpan } from '#engines/language/rules/quotes.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import type { Sentence, Span } from '#engines/language/rules/types.ts'
import { confirmedRisks } from './confirmed-risk.ts'

/** How many turns after the words an asking still belongs to them. */
const reach = 16

/** Far more than any session has. */
const MAX_CUES = 500
/** Sentences looked at for what was asked after a cue. */
const MAX_LOOKED_AT = 200

/** Words of risk, quoted for the therapist to read; what they mean is not said. A false cue is better than a missed one. */
export function riskCuesOf(view: SessionView, exchanges: readonly Exchange[]): RiskCue[] {
  const cues = [...wordsOfRisk(view), ...yesToRisk(exchanges), ...confirmed(view)].toSorted((left, right) => left.at - right.at)
  const places = new Map(view.room.sentences.map(({ index }, place) => [index, place]))
  const listed = new Map<string, RiskCue>()
  for (const found of cues) {
    if (listed.size >= MAX_CUES) break
    const cue = cueOf(view, found, places.get(found.at))
    if (cue !== null && !listed.has(cue.id)) listed.set(cue.id, cue)
  }
  return [...listed.values()]
}

interface Found {
  readonly kind: string
  readonly span: Span
  readonly at: number
  /** Set where the words are a risk only as an answer to it. */
  readonly question: Sentence | null
}

function wordsOfRisk(view: SessionView): Found[] {
  return view.room.sentences.flatMap((sentence) => {
    if (sentence.person.role === 'therapist' || sentence.isInstruction) return []
    const kind = riskTopic(sentence.raw)
    return kind === null ? [] : [{ kind, span: spanOf(sentence), at: sentence.index, question: null }]
  })
}

/** "Have you thought of ending your life?" "Sometimes.": the answer is the cue. A plain no is none. */
function yesToRisk(exchanges: readonly Exchange[]): Found[] {
  return exchanges.flatMap(({ question, replies }) => {
    const kind = riskTopic(question.sentence.raw)
    const first = replies[0]?.sentences[0]
    if (kind === null || !first || !question.isYesNo) return []
    const answer = answerOf(replies[0]?.sentences ?? [])
    // "Do you feel safe?" asks after what is good: there the no is the cue.
    const isGood = asksAfterGood.test(question.body)
    if (answer === (isGood ? 'yes' : 'no') || answer === 'declined' || answer === 'other') return []
    return [{ kind, span: wholeSpan(first), at: first.index, question: question.sentence }]
  })
}

/** Said back by the therapist, asked or not, and gone along with. */
function confirmed(view: SessionView): Found[] {
  return confirmedRisks(view).map(({ kind, said, reply }) => ({
    kind,
    span: wholeSpan(reply),
    at: reply.index,
    question: said,
  }))
}

function cueOf(view: SessionView, { kind, span, question }: Found, place: number | undefined): RiskCue | null {
  const [quoted] = evidenceOf([span])
  if (quoted === undefined || quoted.quote === null) return null
  const { segment_id, start_ms, end_ms, quote } = quoted
  return {
    id: contentId('cue', kind, [quoted]),
    kind,
    quote,
    segment_id,
    start_ms,
    end_ms,
    requires_review: true,
    speaker_id: span.sentence.segment.speaker_id,
    about: question === null ? aboutWhom(span.sentence.clean) : aboutWhomAsked(span.sentence, question),
    asked: question === null ? [] : evidenceOf([question.isQuestion ? questionSpan(question) : spanOf(question)]),
    taken_up: place === undefined ? [] : takenUp(view, kind, place),
  }
}

/** The answer tells, and where it does not, what it answers: the therapist's "your brother" is the client's "my brother". */
function aboutWhomAsked(answer: Sentence, question: Sentence): RiskCue['about'] {
  const told = aboutWhom(answer.clean)
  return told === 'speaker' ? aboutWhom(question.clean.replace(/\byour\b/gi, 'my').replace(/\byou\b/gi, 'I')) : told
}

function aboutWhom(clean: string): RiskCue['about'] {
  if (!notTheSpeaker.test(clean)) return 'speaker'
  const rest = clean.replace(/\bmy (?=\p{L})/giu, '')
  return /\b(?:i|i'm|i've|i'd|me|myself)\b/i.test(rest) ? 'unclear' : 'somebody_else'
}

/** The therapist's questions right after the words, and later ones on the same matter. */
function takenUp({ room }: SessionView, kind: string, place: number): Evidence[] {
  const turn = room.sentences[place]?.turn ?? 0
  const asked = room.sentences
    .slice(place + 1, place + 1 + MAX_LOOKED_AT)
    .filter(
      (sentence) =>
        sentence.turn <= turn + reach &&
        sentence.person.role === 'therapist' &&
        (riskTopic(sentence.raw) === kind ||
          (sentence.isQuestion && (sentence.turn === turn + 1 || (isAboutPlan(sentence) && sentence.turn <= turn + 3)))),
    )
  return evidenceOf(asked.slice(0, 3).map((sentence) => (sentence.isQuestion ? questionSpan(sentence) : spanOf(sentence))))
}

const isAboutPlan = ({ clean }: Sentence): boolean => findingTopic(clean) === 'plan or intent'
