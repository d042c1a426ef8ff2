import type { DraftClient } from '../port.ts'
import type { Speaker } from '#contract/model/transcript.ts'
import type { DoersIn } from './clauses.ts'
import type { Participant } from './types.ts'
import relationForms from './lexicon/relations.json' with { type: 'json' }
import { isFrame, keysOf } from './lexicon/words.ts'
import { isContent, runOf, plain } from '../text/words.ts'
import { isIrregularPast } from '../text/verbs.ts'

export const anybody = '*'
/** Stands for "he", "she", or "who" in spoken words: someone other than the speaker. */
export const somebodyElse = 'x'
export const therapistWords = new Set('therapist clinician counsellor counselor writer'.split(' '))
const clientWords = new Set('client patient'.split(' '))
const generic = new Set(
  'speaker therapist client patient clinician other unknown counsellor counselor doctor dr mr mrs ms miss t c'.split(' '),
)

const relations = new Map(
  Object.entries(relationForms).flatMap(([relation, words]) => words.split(' ').map((word) => [word, `r:${relation}`] as const)),
)

export const relationOf = (word: string): string | null => relations.get(word) ?? relations.get(word.replace(/s$/, '')) ?? null

export const couldBeName = (word: string): boolean =>
  isContent(word) && !isFrame(word) && keysOf(word).length === 1 && relationOf(word) === null

export const relationWords = (relation: string | null): string[] =>
  [...relations].flatMap(([word, same]) => (same === relation ? [word] : []))

export function aliasesOf(speakers: readonly Speaker[], client: DraftClient | null): Map<string, string[]> {
  const aliases = new Map<string, string[]>()
  const add = (word: string, id: string): void => {
    const known = aliases.get(word) ?? []
    if (!known.includes(id)) aliases.set(word, [...known, id])
  }
  const clients = speakers.filter(({ role }) => role === 'client')
  for (const { id, label, role } of speakers) {
    for (const word of runOf(label)) {
      if (word.length < 2 || generic.has(word)) continue
      add(word, id)
      const relation = relations.get(word)
      if (relation !== undefined) for (const [other, same] of relations) if (same === relation) add(other, id)
    }
    if (role === 'therapist') for (const word of therapistWords) add(word, id)
    if (role === 'client') for (const word of clientWords) add(word, id)
  }
  const names = runOf(`${client?.display_name ?? ''} ${client?.given_name ?? ''}`)
  const [only] = clients
  if (clients.length === 1 && only) for (const name of names) add(name, only.id)
  return aliases
}

export interface Voice {
  readonly self: Participant | null
  readonly addressee: readonly string[]
  readonly standing: readonly string[]
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly names: ReadonlySet<string>
  readonly clients: readonly string[]
  readonly pronoun: string | null
}

const determiners = new Set(
  'my your his her their our the a an this that dr doctor mr mrs ms miss little old own late'.split(' '),
)
const opens = new Set(
  'and but that if when because cos so then while what where how or whether until till since says said say thinks think thought knows knew hopes believes reports reported states stated notes noted which who as like before after although though whereas for'.split(
    ' ',
  ),
)

export function doersFor(voice: Voice): DoersIn {
  return (clauses) => {
    let subject: readonly string[] = voice.standing
    let latest: readonly string[] = []
    return clauses.map((words) => {
      let mentions: string[] = []
      if (voice.self === null && namesThing(words, voice)) {
        subject = [anybody]
        latest = [anybody]
      }
      return words.map((word, at) => {
        const doers = [...subject, ...mentions]
        const person = personOf(word, voice, latest)
        if (person !== null) {
          const before = ahead(words, at)
          const joined = before === 'and' && mentions.length + subject.length > 0 && at > 1
          const isInverted =
            word === 'you' &&
            /^(?:do|did|does|are|were|was|have|had|can|could|will|would|should|might|may|must)$/.test(before ?? '')
          if (isPronoun(word) || before === null || isInverted || opens.has(before))
            subject = joined ? [...subject, ...person] : person
          else if (!isThing(word)) mentions = [...mentions, ...person]
          if (!isPronoun(word) && !isThing(word)) latest = person
        }
        return doers
      })
    })
  }
}

function namesThing(words: readonly string[], voice: Voice): boolean {
  const [first = '', second = ''] = words
  const isNoun =
    isContent(first) && !isFrame(first) && relationOf(first) === null && !isIrregularPast(first) && !/(?:s|ed|ing)$/.test(first)
  if (isNoun && words.length > 2 && !voice.aliases.has(first) && !voice.names.has(first)) return true
  return /^(?:the|her|his|their|a|an|this|these)$/.test(first) && /^\p{L}{3,}$/u.test(second) && relationOf(second) === null
}

function ahead(words: readonly string[], at: number): string | null {
  let place = at - 1
  while (place >= 0 && (determiners.has(words[place] ?? '') || relationOf(words[place] ?? '') !== null)) place -= 1
  return words[place] ?? null
}

const isThing = (word: string): boolean => /^(?:it|that|this|there)$/.test(word)

const isPronoun = (word: string): boolean => /^(?:i|we|he|she|they|who)$/.test(word)

function personOf(word: string, voice: Voice, latest: readonly string[]): readonly string[] | null {
  if (word === 'i' && voice.self) return [voice.self.id]
  if (word === 'we' || word === 'us' || word === 'both') return [anybody]
  if (/^(?:nobody|everybody|somebody|someone|everyone|it|there|that|this|people)$/.test(word)) return [anybody]
  if (word === 'you') return voice.self ? voice.addressee : [anybody]
  if (word === 'they' && voice.self) return [anybody]
  if (/^(?:he|she)$/.test(word) && !voice.self && voice.pronoun !== null && word !== voice.pronoun) return [anybody]
  if (/^(?:he|she|they|who)$/.test(word)) return voice.self ? [somebodyElse] : [...voice.clients, ...latest]
  const known = voice.aliases.get(word)
  if (known) return known
  const relation = relationOf(word)
  if (relation) return [relation]
  return voice.names.has(word) ? [`n:${word}`] : null
}

export function couldBe(written: string, said: string, speaker: Participant): boolean {
  if (written === said || written === anybody || said === anybody) return true
  if (said === somebodyElse) return written !== speaker.id
  const isNamed = (id: string): boolean => id.startsWith('n:')
  const isRelation = (id: string): boolean => id.startsWith('r:')
  return (isNamed(written) && isRelation(said)) || (isRelation(written) && isNamed(said))
}

export const namesWritten = (text: string): string[] =>
  [...plain(text).matchAll(/(?<=[\p{Ll}\p{N},;:()]["')]?\s)\p{Lu}\p{Ll}+(?:['-]\p{Lu}?\p{Ll}+)*/gu)].flatMap((match) =>
    runOf(match[0].replace(/'s$/, '')),
  )
