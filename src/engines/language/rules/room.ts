import type { DraftRequest } from '../port.ts'
import { cleanText } from './clean.ts'
import { asksSomething, labelsOf } from './labels.ts'
import { backchannelWords, closesWork, opensWork } from './lexicon/signs.ts'
import { peopleOf } from './people.ts'
import { cutSentences, isUnpunctuated } from './sentences.ts'
import { contentStems, wordsOf } from '../text/words.ts'
import type { Person, Sentence, Turn } from './types.ts'

const nobody: Person = { id: '', role: 'unknown', name: 'someone', pronouns: null, isOneOfSeveral: false }

export function readRoom(request: Pick<DraftRequest, 'speakers' | 'segments' | 'client' | 'own'>) {
  const people = peopleOf(request.speakers, request.client, request.own?.style.client_as)
  const byId = new Map(people.map((person) => [person.id, person]))
  const unpunctuated = isUnpunctuated(request.segments)
  const sentences: Sentence[] = []
  const turns: Turn[] = []
  let current: Sentence[] = []
  const close = (): void => {
    const first = current[0]
    if (!first) return
    const words = current.flatMap((sentence) => sentence.words)
    turns.push({ index: turns.length, person: first.person, sentences: current, words, isBackchannel: isBackchannel(words) })
    current = []
  }
  for (const segment of request.segments) {
    const person = byId.get(segment.speaker_id ?? '') ?? nobody
    if (current[0] && current[0].person !== person) close()
    const cuts = cutSentences(segment, unpunctuated)
    cuts.forEach((cut, order) => {
      const raw = segment.text.slice(cut.from, cut.to)
      const clean = cleanText(raw)
      const words = wordsOf(clean)
      if (words.length === 0) return
      const isQuestion = asksSomething(clean, person.role === 'therapist', order === cuts.length - 1, unpunctuated)
      const labels = labelsOf(raw, clean, words, isQuestion)
      const sentence = {
        index: sentences.length,
        turn: turns.length,
        segment,
        person,
        ...cut,
        raw,
        clean,
        words,
        stems: contentStems(words),
        ...labels,
      }
      sentences.push(sentence)
      current.push(sentence)
    })
  }
  close()
  const joined = joinOverBackchannels(turns)
  return {
    people,
    therapist: people.find((person) => person.role === 'therapist') ?? null,
    clients: people.filter((person) => person.role === 'client'),
    turns: joined,
    sentences: joined.flatMap((turn) => turn.sentences),
    ...workOf(joined),
  }
}

const isBackchannel = (words: readonly string[]): boolean =>
  words.length <= 4 && words.every((word) => backchannelWords.has(word))

/** A listener's "mm-hmm" in the middle of a sentence does not split the speaker's turn. */
function joinOverBackchannels(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = []
  for (let at = 0; at < turns.length; at += 1) {
    const turn = turns[at]
    const next = turns[at + 1]
    const last = joined.at(-1)
    if (!turn) continue
    if (last && next && turn.isBackchannel && last.person === next.person && runsOn(last, next)) {
      joined[joined.length - 1] = merged(last, next)
      at += 1
    } else joined.push(turn)
  }
  return joined.map((turn, index) => ({
    ...turn,
    index,
    sentences: turn.sentences.map((sentence) => ({ ...sentence, turn: index })),
  }))
}

function runsOn(first: Turn, second: Turn): boolean {
  const end = first.sentences.at(-1)
  const start = second.sentences[0]
  if (!end || !start || end.isQuestion) return false
  return (
    /[,–—-]$|\b(?:and|but|so|because|the|to|of)$/i.test(end.raw) ||
    /^[–—-]/.test(start.raw) ||
    (/^\p{Ll}/u.test(start.raw) && /\p{Lu}/u.test(first.sentences[0]?.raw ?? ''))
  )
}

function merged(first: Turn, second: Turn): Turn {
  const words = [...first.words, ...second.words]
  return { ...first, sentences: [...first.sentences, ...second.sentences], words, isBackchannel: false }
}

function workOf(turns: readonly Turn[]): { opening: number; closing: number } {
  const head = Math.min(12, Math.floor(turns.length * 0.15))
  const opens = turns
    .slice(0, head + 1)
    .findIndex(
      ({ person, sentences }) =>
        person.role === 'therapist' && sentences.some(({ clean, words }) => opensWork.test(clean) && words.length >= 4),
    )
  const opening = Math.max(0, opens)
  return { opening, closing: closingOf(turns, opening) }
}

function closingOf(turns: readonly Turn[], opening: number): number {
  const last = turns.length - 1
  const tail = Math.max(opening + 2, turns.length - Math.max(4, Math.floor(turns.length * 0.12)))
  let closing = last
  let isAfterDate = false
  for (let at = last; at >= tail; at -= 1) {
    const turn = turns[at]
    if (!turn || turn.words.length > 18) break
    if (saysWhen(turn)) {
      isAfterDate = true
      break
    }
    closing = at - 1
  }
  if (isAfterDate) return closing
  const goodbye = turns.findIndex(
    (turn, at) => at > closing && turn.sentences.some((sentence) => closesWork.test(sentence.clean)),
  )
  return goodbye < 0 ? last : goodbye - 1
}

const dayOrTime =
  /\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next (?:week|month|time)|same time|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half past \w+) o'clock|at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half|\d)|\w+(?:th|st|nd|rd)(?:'s)? (?:at|is|works|fine|suits|it is)|(?:first|second|third|\w+th)'s (?:fine|good|great)|\d(?:am|pm)?)\b/i

const saysWhen = (turn: Turn): boolean => turn.sentences.some((sentence) => dayOrTime.test(sentence.clean))
