import type { AnalysisBody } from '#contract/model/analysis.ts'
import { capitalise, escapePattern } from '#engines/language/rules/clean.ts'
import { isUsable, type SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/text/words.ts'
import type { Sentence, Room, Span } from '#engines/language/rules/types.ts'
import {
  symptomKinds,
  drugName,
  medicationWords,
  riskKinds,
  riskTopic,
  substanceKinds,
} from '#engines/language/rules/lexicon/topics.ts'
import { weekday } from '#engines/language/rules/lexicon/signs.ts'
import { lengthOf, quotable, spanOf, evidenceOf } from '#engines/language/rules/quotes.ts'
import lexicon from './topics.json' with { type: 'json' }

const symptomNames: Readonly<Record<string, string>> = lexicon.symptoms
const substanceNames: Readonly<Record<string, string>> = lexicon.substances

/** These words are removed before matching, because symptom patterns would match them: "a flat" (a home) and "paint". */
const misread = /\b(?:(?:a|the|my|our|his|her|their) flat|paint\w*)\b/gi

const safetyKinds = riskKinds.map(({ topic, pattern }) => ({ name: capitalise(topic), pattern }))

export const isOfSafety = ({ name }: Pick<Topic, 'name'>): boolean => safetyKinds.some((kind) => kind.name === name)
const safetyFirst = (left: Topic, right: Topic): number => Number(isOfSafety(right)) - Number(isOfSafety(left))

export const topicKinds = [
  ...safetyKinds,
  ...symptomKinds
    .filter(({ topic }) => symptomNames[topic] !== undefined)
    .map(({ topic, pattern }) => ({ name: symptomNames[topic] ?? topic, pattern })),
  ...substanceKinds.map(({ topic, pattern }) => ({ name: substanceNames[topic] ?? topic, pattern })),
  { name: 'Medication', pattern: new RegExp(`${drugName.source}|${medicationWords.source}`, 'i') },
  // The pattern of thoughts must not match "I thought, ...", which is an ordinary phrase.
  ...Object.entries(lexicon.life).map(([name, pattern]) => ({ name, pattern: new RegExp(pattern, 'i') })),
]

const MAX_TOPICS = 8
const MAX_QUOTES = 6
const MIN_TURNS = 2
const MIN_WITH_ANSWERS = 3

export interface Topic {
  readonly name: string
  readonly mentions: readonly Sentence[]
  readonly said: readonly Sentence[]
  readonly pattern: RegExp | null
}

export function topicsOf(view: SessionView, focus: readonly string[]): Topic[] {
  const spoken = view.room.sentences.filter((sentence) => isUsable(view, sentence) && !sentence.isSmallTalk)
  // Risk is often named at the door, so safety is looked for in the whole session.
  const kinds = topicKinds.map((kind) => withAnswers(view, ofKind(isOfSafety(kind) ? view.room.sentences : spoken, kind)))
  const words = comingBack(view, spoken).map(({ name, stem, pattern }) =>
    matching(spoken, name, (each) => each.stems.has(stem), pattern),
  )
  const found = [...kinds, ...words]
    .filter(isSpokenOf)
    .toSorted((left, right) => safetyFirst(left, right) || weight(right) - weight(left))
  const distinct = found.filter((topic, at) => !found.slice(0, at).some((stronger) => isSame(stronger, topic)))
  const asked = focus.flatMap((line) => {
    const topic = focused(spoken, line)
    return topic.mentions.length === 0 ? [] : [topic]
  })
  const names = new Set(asked.map(({ name }) => name.toLowerCase()))
  return [...asked, ...distinct.filter(({ name }) => !names.has(name.toLowerCase()))].toSorted(safetyFirst).slice(0, MAX_TOPICS)
}

export const topicRecords = (view: SessionView, topics: readonly Topic[]): AnalysisBody['topics'] =>
  topics
    .map(({ name, mentions, said, pattern }) => ({
      name,
      evidence: evidenceOf(
        (said.length > 0 ? said : mentions).flatMap((each) => quoteOf(each, pattern) ?? []).slice(0, MAX_QUOTES),
      ),
      stretches: stretchesOf(view.room, mentions),
    }))
    .filter(({ evidence }) => evidence.length > 0)

/** "And the sleep?" "About five hours.": the answer is about sleep without saying the word. */
function withAnswers(view: SessionView, topic: Topic): Topic {
  const answers = topic.mentions
    .filter(({ person, isQuestion }) => person.role === 'therapist' && isQuestion)
    .flatMap(({ turn }) => view.room.turns[turn + 1]?.sentences.slice(0, 1) ?? [])
    .filter((each) => each.person.role !== 'therapist' && each.words.length >= 3 && isUsable(view, each))
  const inOrder = (sentences: readonly Sentence[]): Sentence[] =>
    [...new Set(sentences)].toSorted((left, right) => left.index - right.index)
  return { ...topic, said: inOrder([...topic.said, ...answers]), mentions: inOrder([...topic.mentions, ...answers]) }
}

function isSpokenOf({ name, said, mentions }: Topic): boolean {
  if (isOfSafety({ name })) return said.length > 0
  const turnsOf = (sentences: readonly Sentence[]): number => new Set(sentences.map(({ turn }) => turn)).size
  return turnsOf(said) >= MIN_TURNS || (said.length > 0 && turnsOf(mentions) >= MIN_WITH_ANSWERS)
}

function matching(spoken: readonly Sentence[], name: string, is: (sentence: Sentence) => boolean, pattern: RegExp | null): Topic {
  const mentions = spoken.filter(is)
  return { name, mentions, said: mentions.filter(({ person }) => person.role !== 'therapist'), pattern }
}

function focused(spoken: readonly Sentence[], line: string): Topic {
  const kind = topicKinds.find(({ name }) => name.toLowerCase() === line.trim().toLowerCase())
  if (kind) return ofKind(spoken, kind)
  const wanted = contentStems(wordsOf(line))
  const isAbout = (each: Sentence): boolean => wanted.size > 0 && shareOf(wanted, each.stems) >= (wanted.size > 2 ? 0.6 : 1)
  const anyWord = wordsOf(line).map(escapePattern).join('|')
  return matching(spoken, line.trim(), isAbout, anyWord === '' ? null : new RegExp(`\\b(?:${anyWord})`, 'i'))
}

const ofKind = (spoken: readonly Sentence[], { name, pattern }: (typeof topicKinds)[number]): Topic =>
  matching(
    spoken,
    name,
    ({ raw, clean }) => pattern.test(clean.replaceAll(misread, ' ')) && !(isOfSafety({ name }) && riskTopic(raw) === null),
    pattern,
  )

const weight = ({ said }: Topic): number => said.reduce((sum, sentence) => sum + Math.min(sentence.words.length, 20), 0)

function isSame(stronger: Topic, topic: Topic): boolean {
  const places = new Set(stronger.said.map(({ index }) => index))
  return topic.said.filter(({ index }) => places.has(index)).length >= topic.said.length * 0.75
}

const MAX_BETWEEN = 3

type Stretch = AnalysisBody['topics'][number]['stretches'][number]

function stretchesOf(room: Room, mentions: readonly Sentence[]): Stretch[] {
  const turns = [...new Set(mentions.map(({ turn }) => turn))].toSorted((left, right) => left - right)
  const runs: { from: number; to: number }[] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last && turn - last.to <= MAX_BETWEEN + 1) last.to = turn
    else runs.push({ from: turn, to: turn })
  }
  return runs.flatMap(({ from, to }) => {
    const first = room.turns[from]?.sentences[0]?.segment
    const last = room.turns[to]?.sentences.at(-1)?.segment
    if (!first || !last) return []
    return [{ from_segment_id: first.id, to_segment_id: last.id, start_ms: first.start_ms, end_ms: last.end_ms }]
  })
}

const COMING_BACK_FEWEST_TURNS = 3
const MAX_WORDS = 4

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

const notThing = /(?:ing|ed|ly|teenth|tieth|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth))$/i

function comingBack(view: SessionView, spoken: readonly Sentence[]) {
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
    .filter(([, { turns }]) => turns.size >= COMING_BACK_FEWEST_TURNS)
    .toSorted(([left, one], [right, other]) => other.turns.size - one.turns.size || (left < right ? -1 : 1))
    .slice(0, MAX_WORDS)
    .map(([stem, { names }]) => ({ name: capitalise(commonest(names)), stem, pattern: new RegExp(`\\b${stem}`, 'i') }))
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

const commonest = (names: ReadonlyMap<string, number>): string =>
  [...names].toSorted(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))[0]?.[0] ?? ''

const MAX_CLEAN = 26
const LONGEST = 36
const SHORTEST = 3

export function quoteOf(sentence: Sentence, wanted: RegExp | null): Span | null {
  const clean = quotable(sentence, MAX_CLEAN, wanted)
  if (clean !== null && lengthOf(clean) >= SHORTEST) return clean
  const whole = spanOf(sentence)
  const length = lengthOf(whole)
  return length >= SHORTEST && length <= LONGEST ? whole : null
}
