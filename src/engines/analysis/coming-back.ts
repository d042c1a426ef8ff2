import { weekday } from '#engines/language/rules/lexicon/planning.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { contentStems, wordsOf } from '#engines/language/rules/tokens.ts'
import type { Sentence } from '#engines/language/rules/types.ts'
import { topicKinds } from './topic-names.ts'

/** A thing or a person the client keeps coming back to, in the word they have for it. */
export interface ReturningWord {
  readonly name: string
  readonly stem: string
  readonly pattern: RegExp
}

const fewestTurns = 3
const mostWords = 4

/** Nouns that tell nothing of what was spoken about. */
const empty = new Set(
  (
    'time times day days week weeks month months year years night nights morning mornings evening evenings afternoon hour hours minute minutes moment today tomorrow yesterday tonight weekend ' +
    'way ways part point end start side place people person man woman guy someone rest same first second third last next other another whole world life stuff kind sort lot couple few half ' +
    'idea reason problem question answer word words room door table chair hand hands head face eyes thought mind fact case truth name number one two three four five six seven eight nine ten'
  ).split(' '),
)
const named = /(?<=[\p{Ll},;] )\p{Lu}\p{Ll}{2,}(?!['’]\p{L}{2})/gu
const calendar =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|god|english)$/i
const thing = /\b(?:the|my|our|his|her|their|this|that) ((?:(?:new|old|big|little|other) )?[\p{Ll}-]{4,})\b/giu

/** Verbs and adverbs by their ending, and dates. */
const notThing = /(?:ing|ed|ly|teenth|tieth|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth))$/i

/** Nouns after "the", "my" and the like, and names, said in several turns, that no known topic has. */
export function comingBack(view: SessionView, spoken: readonly Sentence[]): ReturningWord[] {
  const participants = new Set(view.names.flatMap((name) => wordsOf(name)))
  const found = new Map<string, { turns: Set<number>; names: Map<string, number> }>()
  for (const sentence of spoken) {
    if (sentence.person.role === 'therapist') continue
    for (const { word, shown } of candidatesIn(sentence)) {
      const [stem] = contentStems(wordsOf(word))
      if (stem === undefined || participants.has(word.toLowerCase()) || topicKinds.some(({ pattern }) => pattern.test(shown)))
        continue
      const entry = found.get(stem) ?? { turns: new Set<number>(), names: new Map<string, number>() }
      entry.turns.add(sentence.turn)
      entry.names.set(shown, (entry.names.get(shown) ?? 0) + 1)
      found.set(stem, entry)
    }
  }
  return [...found]
    .filter(([, { turns }]) => turns.size >= fewestTurns)
    .toSorted(([left, one], [right, other]) => other.turns.size - one.turns.size || (left < right ? -1 : 1))
    .slice(0, mostWords)
    .map(([stem, { names }]) => ({ name: capital(commonest(names)), stem, pattern: new RegExp(`\\b${stem}`, 'i') }))
}

function candidatesIn({ raw, clean }: Sentence): { word: string; shown: string }[] {
  const names = [...raw.matchAll(named)]
    .map(([name]) => name)
    .filter((name) => !calendar.test(name) && !weekday.test(name))
    .map((name) => ({ word: name, shown: name }))
  const things = [...clean.matchAll(thing)].flatMap(([, phrase = '']) => {
    const word = phrase.split(' ').at(-1) ?? ''
    return empty.has(word.toLowerCase()) || notThing.test(word) ? [] : [{ word, shown: `the ${word.toLowerCase()}` }]
  })
  return [...names, ...things]
}

function commonest(names: ReadonlyMap<string, number>): string {
  return [...names].toSorted(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))[0]?.[0] ?? ''
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
