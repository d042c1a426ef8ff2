import { agreementWith } from '#engines/language/rules/agreement.ts'
import { answerOf } from '#engines/language/rules/answers.ts'
import { riskKinds, riskTopic } from '#engines/language/rules/lexicon/risk.ts'
import { groundBefore } from '#engines/language/rules/session.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { shareOf } from '#engines/language/rules/tokens.ts'
import type { Sentence, Turn } from '#engines/language/rules/types.ts'

export interface ConfirmedRisk {
  readonly kind: string
  /** What the therapist said, and the words that go along with it. */
  readonly said: Sentence
  readonly reply: Sentence
}

/** "So you wanted to end your life." "Yes.": the client said it as much as if they had used the words. */
export function confirmedRisks(view: SessionView): ConfirmedRisk[] {
  return view.room.turns.flatMap((turn) => {
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
      return reply === null ? [] : [{ kind, said, reply }]
    })
  })
}

/** Turns back in which the client's own words of risk are what is said back. */
const reach = 6

/** The client's own words, which are a cue themselves, said again. */
function isQuotedAnyway(view: SessionView, said: Sentence): boolean {
  const own = groundBefore(view, said.turn, reach).filter(({ raw }) => riskTopic(raw) !== null)
  return own.some(({ stems }) => shareOf(said.stems, stems) >= 0.5)
}

/** Also where nobody wrote the mark: to a question "no" is no. */
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
  // "You wanted to die. When was that?" "In May.": nobody who had not would say when.
  if (asksOn) return answer !== 'no' && answer !== 'declined' && /\byou/i.test(said.clean) ? first : null
  return isYes ? first : null
}

const aboutAsking =
  /\b(?:i|we) (?:\w+ ){0,2}(?:ask|asking|asked|check|talk)\b|\b(?:crisis|suicide|help) ?line\b|\bhotline\b|\b988\b/i
const advises = /\byou (?:could|can|should|must|need to|may) (?!not\b|be\b)/i

/** What to do should it come to that, and why it is asked, confirm nothing. */
function isForWhatMayCome({ clean, isHypothetical }: Sentence): boolean {
  return (isHypothetical && !/\bif i\b/i.test(clean)) || aboutAsking.test(clean) || advises.test(clean)
}

/** A no right before the words of risk: "you have no thoughts of", "you're not planning to". */
const denies =
  /(?:\b(?:no|not|never|without|nor)|n't)(?:\s+(?:longer|any|more|had|have|having|been|being|thinking|think|thought|thoughts?|plans?|planning|intent|intention|intending|urges?|wish|wishes|want|wanted|wanting|going|trying|tried|consider\w*|feel|feeling|felt|really|actually|currently|actively|active|of|about|to|a|the|in|on|do|did))*\s*$/i
const good = /\b(?:feel|feeling|be|are you|is it) safe\b/i

/** A denial said back; of what is good, the contrary. */
function saysThatAllIsWell({ raw }: Sentence, kind: string): boolean {
  const text = raw.replaceAll('’', "'")
  const found = riskKinds.find(({ topic }) => topic === kind)?.pattern.exec(text)
  if (!found) return false
  return denies.test(text.slice(0, found.index)) !== good.test(found[0])
}
