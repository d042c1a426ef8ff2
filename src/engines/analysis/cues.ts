import type { RiskCue } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { answerOf, agreementWith, type Exchange } from '#engines/language/rules/answers.ts'
import { asksAfterGood } from '#engines/language/rules/denials.ts'
import { notTheSpeaker, riskTopic, riskKinds } from '#engines/language/rules/lexicon/topics.ts'
import { findingTopic } from '#engines/language/rules/questions.ts'
import { questionSpan, spanOf, wholeSpan, contentId, evidenceOf } from '#engines/language/rules/quotes.ts'
import { type SessionView, groundBefore } from '#engines/language/rules/session.ts'
import type { Sentence, Span, Turn } from '#engines/language/rules/types.ts'
import { shareOf } from '#engines/language/text/words.ts'

const REACH = 16

const MAX_CUES = 500
const MAX_LOOKED_AT = 200

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
  readonly question: Sentence | null
}

const wordsOfRisk = (view: SessionView): Found[] =>
  view.room.sentences.flatMap((sentence) => {
    if (sentence.person.role === 'therapist' || sentence.isInstruction) return []
    const kind = riskTopic(sentence.raw)
    return kind === null ? [] : [{ kind, span: spanOf(sentence), at: sentence.index, question: null }]
  })

/** "Have you thought of ending your life?" "Sometimes.": the answer is a cue, although it does not name the risk. */
const yesToRisk = (exchanges: readonly Exchange[]): Found[] =>
  exchanges.flatMap(({ question, replies }) => {
    const kind = riskTopic(question.sentence.raw)
    const first = replies[0]?.sentences[0]
    if (kind === null || !first || !question.isYesNo) return []
    const answer = answerOf(replies[0]?.sentences ?? [])
    // "Do you feel safe?" asks about something good, so a "no" or a hedged answer is the cue.
    const isGood = asksAfterGood.test(question.body)
    if (answer === (isGood ? 'yes' : 'no') || answer === 'declined' || answer === 'other') return []
    return [{ kind, span: wholeSpan(first), at: first.index, question: question.sentence }]
  })

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

function aboutWhomAsked(answer: Sentence, question: Sentence): RiskCue['about'] {
  const told = aboutWhom(answer.clean)
  return told === 'speaker' ? aboutWhom(question.clean.replace(/\byour\b/gi, 'my').replace(/\byou\b/gi, 'I')) : told
}

function aboutWhom(clean: string): RiskCue['about'] {
  if (!notTheSpeaker.test(clean)) return 'speaker'
  const rest = clean.replace(/\bmy (?=\p{L})/giu, '')
  return /\b(?:i|i'm|i've|i'd|me|myself)\b/i.test(rest) ? 'unclear' : 'somebody_else'
}

function takenUp({ room }: SessionView, kind: string, place: number): Evidence[] {
  const turn = room.sentences[place]?.turn ?? 0
  const asked = room.sentences
    .slice(place + 1, place + 1 + MAX_LOOKED_AT)
    .filter(
      (sentence) =>
        sentence.turn <= turn + REACH &&
        sentence.person.role === 'therapist' &&
        (riskTopic(sentence.raw) === kind ||
          (sentence.isQuestion && (sentence.turn === turn + 1 || (isAboutPlan(sentence) && sentence.turn <= turn + 3)))),
    )
  return evidenceOf(asked.slice(0, 3).map((sentence) => (sentence.isQuestion ? questionSpan(sentence) : spanOf(sentence))))
}

const isAboutPlan = ({ clean }: Sentence): boolean => findingTopic(clean) === 'plan or intent'

/** "So you wanted to end your life." "Yes.": the confirmation is a cue. */
const confirmed = (view: SessionView): Found[] =>
  view.room.turns.flatMap((turn) => {
    if (turn.person.role !== 'therapist') return []
    return turn.sentences.flatMap((said) => {
      const kind = riskTopic(said.raw)
      if (
        kind === null ||
        said.isInstruction ||
        isForWhatMayCome(said) ||
        saysThatAllIsWell(said, kind) ||
        isQuotedAnyway(view, said)
      )
        return []
      const reply = confirmation(view, turn, said)
      return reply === null ? [] : [{ kind, span: wholeSpan(reply), at: reply.index, question: said }]
    })
  })

const CONFIRMED_RISK_REACH = 6

function isQuotedAnyway(view: SessionView, said: Sentence): boolean {
  const own = groundBefore(view, said.turn, CONFIRMED_RISK_REACH).filter(({ raw }) => riskTopic(raw) !== null)
  return own.some(({ stems }) => shareOf(said.stems, stems) >= 0.5)
}

const asks =
  /^(?:\W*(?:and|so|but|now|um|okay|also|or)[, ]+)*(?:have|had|has|do|did|does|are|were|was|is|any|ever|what|how|when) /i
const takesNote = /^\W*(?:okay|ok|all ?right|sure|fine|good|done|deal|i'll|i will|i promise|i can|i'd like|sounds)\b/i

function confirmation(view: SessionView, turn: Turn, said: Sentence): Sentence | null {
  const reply = view.room.turns[turn.index + 1]
  const first = reply?.sentences[0]
  if (!reply || !first || reply.person.role === 'therapist') return null
  const answer = answerOf(reply.sentences)
  const isYes = (answer === 'yes' || answer === 'hedged') && !takesNote.test(first.clean)
  if (said.isQuestion || asks.test(said.clean)) return isYes ? first : null
  const { state, sentence } = agreementWith(view, turn, said)
  if (state === 'objected') return null
  if (state === 'agreed' && sentence !== null) return takesNote.test(sentence.clean) ? null : sentence
  const asksOn = turn.sentences.some(({ index, isQuestion }) => isQuestion && index > said.index)
  if (asksOn) return answer !== 'no' && answer !== 'declined' && /\byou/i.test(said.clean) ? first : null
  return isYes ? first : null
}

const aboutAsking =
  /\b(?:i|we) (?:\w+ ){0,2}(?:ask|asking|asked|check|talk)\b|\b(?:crisis|suicide|help) ?line\b|\bhotline\b|\b988\b/i
const advises = /\byou (?:could|can|should|must|need to|may) (?!not\b|be\b)/i

const isForWhatMayCome = ({ clean, isHypothetical }: Sentence): boolean =>
  (isHypothetical && !/\bif i\b/i.test(clean)) || aboutAsking.test(clean) || advises.test(clean)

const denies =
  /(?:\b(?:no|not|never|without|nor)|n't)(?:\s+(?:longer|any|more|had|have|having|been|being|thinking|think|thought|thoughts?|plans?|planning|intent|intention|intending|urges?|wish|wishes|want|wanted|wanting|going|trying|tried|consider\w*|feel|feeling|felt|really|actually|currently|actively|active|of|about|to|a|the|in|on|do|did))*\s*$/i
const good = /\b(?:feel|feeling|be|are you|is it) safe\b/i

function saysThatAllIsWell({ raw }: Sentence, kind: string): boolean {
  const text = raw.replaceAll('’', "'")
  const found = riskKinds.find(({ topic }) => topic === kind)?.pattern.exec(text)
  if (!found) return false
  return denies.test(text.slice(0, found.index)) !== good.test(found[0])
}
