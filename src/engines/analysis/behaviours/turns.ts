import { type AnalysisBody, type Behaviour, behaviourSchema } from '#contract/model/analysis.ts'
import { wholeSpan, evidenceOf } from '#engines/language/rules/quotes.ts'
import type { Room, Sentence, Turn } from '#engines/language/rules/types.ts'
import { actOf, type Act, echoOf } from './act.ts'

type Behaviours = NonNullable<AnalysisBody['behaviours']>

const REACH = 4

export function behavioursOf(room: Room): Behaviours {
  const turns = room.turns
    .filter(({ person }) => person.role === 'therapist')
    .flatMap((turn) =>
      partsOf(turn, saidBefore(room, turn)).map(({ behaviour, sentences }) => ({
        behaviour,
        evidence: evidenceOf(sentences.map(wholeSpan)),
      })),
    )
    .filter(({ evidence }) => evidence.length > 0)
  const counts = Object.fromEntries(
    behaviourSchema.options.map((each) => [each, turns.filter(({ behaviour }) => behaviour === each).length]),
  ) as Record<Behaviour, number>
  const questions = counts.open_question + counts.closed_question
  const reflections = counts.simple_reflection + counts.complex_reflection
  return {
    counts,
    reflections_per_question: questions === 0 ? null : reflections / questions,
    complex_share: reflections === 0 ? null : counts.complex_reflection / reflections,
    open_share: questions === 0 ? null : counts.open_question / questions,
    turns,
  }
}

interface Part {
  readonly behaviour: Behaviour
  readonly sentences: readonly Sentence[]
}

function partsOf(turn: Turn, before: string | null): Part[] {
  const asking = turn.sentences.filter((sentence) => isAsking(sentence, actOf(sentence.raw, before)))
  const rest = turn.sentences.filter((sentence) => !asking.includes(sentence))
  const parts = [
    ...(rest.length > 0 ? [{ act: actOf(textOf(rest), before), sentences: rest }] : []),
    ...(asking.length > 0 ? [{ act: 'question' as Act, sentences: asking }] : []),
  ]
  const telling = parts.filter(({ act }) => act !== 'other')
  const kept = telling.length > 0 ? merged(telling) : parts
  return kept.map(({ act, sentences }) => ({ behaviour: behaviourOf(act, textOf(sentences), before), sentences }))
}

/** A sentence in question form is a question, unless it reflects: "You were scared?" */
function isAsking({ isQuestion }: Sentence, act: Act): boolean {
  return act === 'question' || (isQuestion && act !== 'reflection')
}

/** If the rest of the turn also asks, count one question for the whole turn. */
function merged(parts: readonly { act: Act; sentences: readonly Sentence[] }[]) {
  const [first, second] = parts
  if (first?.act !== 'question' || second === undefined) return parts
  return [
    {
      act: 'question' as Act,
      sentences: [...first.sentences, ...second.sentences].toSorted((one, other) => one.index - other.index),
    },
  ]
}

function saidBefore(room: Room, turn: Turn): string | null {
  const said = room.turns
    .slice(Math.max(0, turn.index - REACH), turn.index)
    .filter(({ person }) => person.role !== 'therapist')
    .flatMap(({ sentences }) => sentences.map(({ raw }) => raw))
  return said.length === 0 ? null : said.join(' ')
}

const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ raw }) => raw).join(' ')

const open =
  /\b(?:what(?!(?:'s| is| was| are)? (?:the date|time|day|your (?:name|age|number|address)))|how(?! (?:many|much|long|often|old|far|big|soon|frequently|recently)\b)|why|tell me|describe|walk me through|in what way|say (?:a bit |some )?more|talk (?:to )?me (?:through|about)|help me understand)\b/i
const bothSides =
  /\bon (?:the )?one hand\b|\bpart of you\b|\band (?:yet|at the same time)\b|\bat the same time\b|, (?:and|but) (?:you|it|that)(?:'re|'s)? also\b|\btorn\b/i

/** An open question asks for more than a yes, a no or a fact. */
export function questionKind(text: string): Behaviour {
  return open.test(text.replaceAll('’', "'")) ? 'open_question' : 'closed_question'
}

/** A complex reflection adds meaning, a feeling or another side of the matter. A simple one only repeats. */
export function reflectionKind(text: string, previous: string | null): Behaviour {
  if (previous === null || bothSides.test(text)) return 'complex_reflection'
  return echoOf(text, previous) >= 0.5 ? 'simple_reflection' : 'complex_reflection'
}

function behaviourOf(act: Act, text: string, previous: string | null): Behaviour {
  if (act === 'question') return questionKind(text)
  return act === 'reflection' ? reflectionKind(text, previous) : act
}
