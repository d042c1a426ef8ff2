import { factOf } from './facts.ts'
import { interventionKinds } from './lexicon/interventions.ts'
import { riskTopic } from './lexicon/topics.ts'
import { evaluation } from './lexicon/signs.ts'
import { agrees } from './answers.ts'
import { isCleanQuote, lengthOf, quoted, questionSpan, spanOf, wholeSpan } from './quotes.ts'
import { isUsable, type SessionView } from './session.ts'
import type { Fact, Sentence } from './types.ts'

const MOST = 6

type Named = (typeof interventionKinds)[number] & { readonly sentence: Sentence }

export function factsOfInterventions(view: SessionView, reflections: number): Fact[] {
  const named = new Map<string, Named>()
  for (const sentence of view.room.sentences) {
    if (
      sentence.person.role !== 'therapist' ||
      !isUsable(view, sentence) ||
      (sentence.isHypothetical && /\bwould have\b/i.test(sentence.clean))
    )
      continue
    const kind = interventionKinds.find(({ pattern }) => pattern.test(sentence.clean))
    if (!kind || (kind.name === 'Psychoeducation' && sentence.isQuestion)) continue
    if (!named.has(kind.name)) named.set(kind.name, { ...kind, sentence })
  }
  const chosen = [...named.values()]
    .toSorted((left, right) => left.rank - right.rank || left.sentence.index - right.sentence.index)
    .slice(0, MOST)
  const facts = chosen.map(interventionFact)
  const reflection = reflectionFact(view, reflections)
  return reflection ? [...facts, reflection] : facts
}

function interventionFact({ name, rank, sentence }: Named): Fact {
  const span = sentence.isQuestion ? questionSpan(sentence) : spanOf(sentence)
  const shows = lengthOf(span) <= 14 && isCleanQuote(span)
  return factOf({
    kind: 'intervention',
    topic: name,
    text: shows ? `${name}: ${quoted(span)}` : name,
    spans: [span],
    support: shows ? 'stated' : 'paraphrase',
    score: 3 - rank * 0.3,
  })
}

function reflectionFact(view: SessionView, count: number): Fact | null {
  const said = view.room.sentences.filter(
    (sentence) =>
      sentence.person.role === 'therapist' &&
      isUsable(view, sentence) &&
      !sentence.isQuestion &&
      /^(?:so|sounds|it sounds|what i)\b/i.test(sentence.clean) &&
      sentence.words.length >= 4,
  )
  const [first] = said
  if (!first || count + said.length < 3) return null
  return factOf({
    kind: 'intervention',
    topic: 'Reflection',
    text: 'Reflection and summary of what was said',
    spans: said.slice(0, 4).map(spanOf),
    person: first.person,
    support: 'paraphrase',
    score: 0.5,
  })
}

export function factsOfResponses(view: SessionView, interventions: readonly Fact[]): Fact[] {
  const used = new Set<number>()
  return interventions.flatMap((fact) => {
    const asked = fact.spans[0]?.sentence
    if (!asked || fact.topic === 'Reflection' || riskTopic(asked.raw) !== null) return []
    const following = view.room.sentences.filter(
      (sentence) => sentence.index > asked.index && sentence.index <= asked.index + 8 && sentence.person.role === 'client',
    )
    const answer = following.find(
      (sentence) =>
        sentence.words.length >= 5 &&
        !sentence.isQuestion &&
        isUsable(view, sentence) &&
        (evaluation.test(sentence.clean) || agrees.test(sentence.clean)) &&
        isCleanQuote(spanOf(sentence)) &&
        !used.has(sentence.index),
    )
    if (!answer || lengthOf(spanOf(answer)) > 20) return []
    used.add(answer.index)
    return [
      factOf({
        kind: 'response',
        topic: fact.topic,
        text: `To ${fact.topic.charAt(0).toLowerCase()}${fact.topic.slice(1)}, ${answer.person.name} said ${quoted(spanOf(answer))}`,
        spans: [wholeSpan(asked), spanOf(answer)],
        score: 1.5,
      }),
    ]
  })
}
