import { withoutOpeners } from './clean.ts'
import { factOf, written } from './facts.ts'
import { rewordSecondPerson } from './gate.ts'
import { instrumentName } from './lexicon/instruments.ts'
import { numbersIn } from './numbers.ts'
import { isCleanQuote, quoted, spanOf, textOf, wholeSpan } from './quotes.ts'
import { groundBefore, hasStale, isUsable } from './session.ts'
import type { SessionView } from './session.ts'
import type { Fact, Sentence, Span } from './types.ts'

/** Scores read aloud: the sentence that names the questionnaire and its number, with who gave the number. */
export function factsOfScores(view: SessionView): Fact[] {
  const best = new Map<string, Fact>()
  for (const sentence of view.room.sentences) {
    const name = instrumentName.exec(sentence.clean)?.[0]
    if (name === undefined || !isUsable(view, sentence) || hasStale(view, sentence)) continue
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
  const earlierSpan = earlier && isCleanQuote(textOf(spanOf(earlier))) ? spanOf(earlier) : null
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
