import type { AnalysisBody } from '#contract/model/analysis.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { escapePattern } from '#engines/language/rules/clean.ts'
import { isUsable } from '#engines/language/rules/session.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/rules/tokens.ts'
import type { Sentence } from '#engines/language/rules/types.ts'
import { comingBack } from './coming-back.ts'
import { quoteOf } from './quote-of.ts'
import { stretchesOf } from './stretches.ts'
import type { TopicKind } from './topic-names.ts'
import { misread, topicKinds } from './topic-names.ts'

const mostTopics = 8
const mostQuotes = 6
/** Said once is a remark; said in two turns it is spoken of, and so is what is asked about and answered several times. */
const fewestTurns = 2
const fewestWithAnswers = 3

export interface Topic {
  readonly name: string
  /** What anybody said about it, in order. */
  readonly mentions: readonly Sentence[]
  /** What was said by those who are not the therapist. */
  readonly said: readonly Sentence[]
  readonly pattern: RegExp | null
}

/** What was spoken of, the matter with most of the client's words first; what the caller asked after before all. */
export function topicsOf(view: SessionView, focus: readonly string[]): Topic[] {
  const spoken = view.room.sentences.filter((sentence) => isUsable(view, sentence) && !sentence.isSmallTalk)
  const kinds = topicKinds.map((kind) =>
    withAnswers(
      view,
      matching(spoken, kind.name, (each) => isOf(kind, each), kind.pattern),
    ),
  )
  const words = comingBack(view, spoken).map(({ name, stem, pattern }) =>
    matching(spoken, name, (each) => each.stems.has(stem), pattern),
  )
  const found = [...kinds, ...words].filter(isSpokenOf).toSorted((left, right) => weight(right) - weight(left))
  const distinct = found.filter((topic, at) => !found.slice(0, at).some((stronger) => isSame(stronger, topic)))
  const asked = focus.flatMap((line) => {
    const topic = focused(spoken, line)
    return topic.mentions.length === 0 ? [] : [topic]
  })
  const names = new Set(asked.map(({ name }) => name.toLowerCase()))
  return [...asked, ...distinct.filter(({ name }) => !names.has(name.toLowerCase()))].slice(0, mostTopics)
}

export function topicRecords(view: SessionView, topics: readonly Topic[]): AnalysisBody['topics'] {
  return topics
    .map(({ name, mentions, said, pattern }) => ({
      name,
      evidence: evidenceOf(
        (said.length > 0 ? said : mentions).flatMap((each) => quoteOf(each, pattern) ?? []).slice(0, mostQuotes),
      ),
      stretches: stretchesOf(view.room, mentions),
    }))
    .filter(({ evidence }) => evidence.length > 0)
}

/** "And the sleep?" "Five hours.": the answer is about it, though it does not say the word. */
function withAnswers(view: SessionView, topic: Topic): Topic {
  const answers = topic.mentions
    .filter(({ person, isQuestion }) => person.role === 'therapist' && isQuestion)
    .flatMap(({ turn }) => view.room.turns[turn + 1]?.sentences.slice(0, 1) ?? [])
    .filter((each) => each.person.role !== 'therapist' && each.words.length >= 3 && isUsable(view, each))
  const inOrder = (sentences: readonly Sentence[]): Sentence[] =>
    [...new Set(sentences)].toSorted((left, right) => left.index - right.index)
  return { ...topic, said: inOrder([...topic.said, ...answers]), mentions: inOrder([...topic.mentions, ...answers]) }
}

function isSpokenOf({ said, mentions }: Topic): boolean {
  const turnsOf = (sentences: readonly Sentence[]): number => new Set(sentences.map(({ turn }) => turn)).size
  return turnsOf(said) >= fewestTurns || (said.length > 0 && turnsOf(mentions) >= fewestWithAnswers)
}

function matching(spoken: readonly Sentence[], name: string, is: (sentence: Sentence) => boolean, pattern: RegExp | null): Topic {
  const mentions = spoken.filter(is)
  return { name, mentions, said: mentions.filter(({ person }) => person.role !== 'therapist'), pattern }
}

/** A line the caller wrote: a sentence is about it that shares its rarer words. */
function focused(spoken: readonly Sentence[], line: string): Topic {
  const kind = topicKinds.find(({ name }) => name.toLowerCase() === line.trim().toLowerCase())
  if (kind) return matching(spoken, kind.name, (each) => isOf(kind, each), kind.pattern)
  const wanted = contentStems(wordsOf(line))
  const isAbout = (each: Sentence): boolean => wanted.size > 0 && shareOf(wanted, each.stems) >= (wanted.size > 2 ? 0.6 : 1)
  const anyWord = wordsOf(line).map(escapePattern).join('|')
  return matching(spoken, line.trim(), isAbout, anyWord === '' ? null : new RegExp(`\\b(?:${anyWord})`, 'i'))
}

const isOf = ({ pattern }: TopicKind, { clean }: Sentence): boolean => pattern.test(clean.replaceAll(misread, ' '))

function weight({ said }: Topic): number {
  return said.reduce((sum, sentence) => sum + Math.min(sentence.words.length, 20), 0)
}

/** Another name for the same sentences. */
function isSame(stronger: Topic, topic: Topic): boolean {
  const places = new Set(stronger.said.map(({ index }) => index))
  return topic.said.filter(({ index }) => places.has(index)).length >= topic.said.length * 0.75
}
