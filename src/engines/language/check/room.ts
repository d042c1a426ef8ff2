import type { Speaker } from '#contract/model/transcript.ts'
import { clausesOf } from './clauses.ts'
import { aliasesOf, anybody, doersFor, namesWritten, couldBeName } from './people.ts'
import { replyKind } from './speakers.ts'
import type { CheckSource, Participant } from './types.ts'
import { cutByStops } from '../text/sentences.ts'
import { plain, runOf } from '../text/words.ts'

const unknown: Participant = { id: '', role: 'unknown', label: '' }

export function roomOf({ segments, speakers, client, session }: CheckSource, written: readonly string[] = []) {
  const participants = speakers.map(({ id, role, label }) => ({ id, role, label: nameOfSpeaker(role, label, speakers, client) }))
  const byId = new Map(participants.map((participant) => [participant.id, participant]))
  const aliases = aliasesOf(speakers, client)
  const texts = segments.map(({ text }) => text)
  const names = namesIn(texts, written)
  const idsOf = (isWanted: (role: Speaker['role']) => boolean): string[] =>
    participants.filter(({ role }) => isWanted(role)).map(({ id }) => id)
  const clients = idsOf((role) => role === 'client')
  const speakerAt = (at: number): Participant => byId.get(segments[at]?.speaker_id ?? '') ?? unknown
  const known = new Map<number, ReturnType<typeof read>>()

  const read = (at: number) => {
    const text = segments[at]?.text ?? ''
    const person = speakerAt(at)
    const addressee = addresseeOf(speakerAt, segments.length, at)
    const standing = person.role === 'client' ? [person.id] : [anybody]
    const doers = doersFor({ self: person, addressee, standing, aliases, names, clients, pronoun: null })
    const parts = sentencesOf(text)
    const answer = replyAfter(segments.length, (place) => segments[place]?.text ?? '', speakerAt, at)
    return parts.map((part, order) => {
      const clauses = clausesOf(part.text, doers)
      return {
        ...part,
        segment: at,
        person,
        clauses,
        keys: new Set(clauses.flatMap((clause) => clause.tokens.flatMap((token) => token.keys))),
        isQuestion:
          isQuestion(part.text, person) || (person.role === 'therapist' && order === parts.length - 1 && isBare(part.text)),
        replyText: answer === null ? null : (segments[answer.segment]?.text ?? null),
        reply: parts.slice(order + 1).every((later) => isTail(later.text)) ? answer : null,
      }
    })
  }

  return {
    participants,
    clients,
    therapists: idsOf((role) => role === 'therapist'),
    nonTherapists: idsOf((role) => role !== 'therapist'),
    aliases,
    segments,
    places: new Map(segments.map(({ id }, at) => [id, at])),
    unitsAt: (at: number) => {
      const found = known.get(at) ?? read(at)
      known.set(at, found)
      return found
    },
    speakerAt,
    names,
    isNamed: (word: string): boolean => aliases.has(word) || names.has(word),
    pronoun: clients.length === 1 ? (/^\s*(she|he|they)\b/i.exec(client?.pronouns ?? '')?.[1]?.toLowerCase() ?? null) : null,
    vocabulary: new Set(segments.flatMap(({ text }) => runOf(text))),
    session,
  }
}

function nameOfSpeaker(
  role: Speaker['role'],
  label: string,
  speakers: readonly Speaker[],
  client: CheckSource['client'],
): string {
  if (role === 'therapist') return 'Therapist'
  const isOnly = role === 'client' && speakers.filter((each) => each.role === 'client').length === 1
  if (isOnly && client !== null) return client.given_name ?? client.display_name
  return label.length > 1 ? label : role === 'client' ? 'Client' : ''
}

function addresseeOf(speakerAt: (at: number) => Participant, length: number, at: number): string[] {
  const person = speakerAt(at)
  const nearest = person.role === 'therapist' ? [at + 1, at + 2, at - 1, at - 2] : [at - 1, at - 2, at + 1, at + 2]
  const others = nearest
    .filter((place) => place >= 0 && place < length)
    .map(speakerAt)
    .filter((other) => other.id !== person.id)
  const [first] = others
  const isOpen = first === undefined || first.role === 'unknown' || (person.role !== 'therapist' && first.role === 'therapist')
  return isOpen ? [anybody] : [first.id]
}

function replyAfter(length: number, textAt: (at: number) => string, speakerAt: (at: number) => Participant, at: number) {
  const person = speakerAt(at)
  for (let place = at + 1; place < Math.min(length, at + 4); place += 1) {
    const by = speakerAt(place)
    if (by.id === person.id || textAt(place).trim() === '') continue
    return { kind: replyKind(textAt(place)), segment: place, by }
  }
  return null
}

function isTail(text: string): boolean {
  const words = runOf(text)
  if (/^(?:or|and|anything like|any of)\b.{0,40}\?$/i.test(text.trim()) && words.length <= 7) return true
  if (/^any\b.*\?$/i.test(text.trim()) && words.length <= 10) return true
  if (
    text.endsWith('?') &&
    words.length <= 4 &&
    !words.some((word) => /^(?:you|i|he|she|they|it|how|what|when|who|where|why)$/.test(word))
  )
    return true
  return (
    text.endsWith('?') &&
    words.length <= 8 &&
    /\b(?:that|it|this|those|one)\??$|\bthat\b/i.test(text) &&
    !/^(?:how|what|when|who|where|why)\b/i.test(text)
  )
}

const isBare = (text: string): boolean => !/[.!?…]$/.test(text) && runOf(text).length <= 20

const opener =
  /^(?:(?:so|and|but|ok|okay|right|well|great|thank you|thanks|um+|uh+|now)[\s,]+)*(?:how|hows|what|whats|when|where|who|why|which|whose|do|did|does|are|is|was|were|have|has|had|can|could|will|would|shall|should|any|ever)\b/i

const endsAsking =
  /\b(?:do|does|did|are|is|was|were|have|has|can|could|would|will) (?:you|it|that|there|this|he|she|they)\b|\bany \w+(?: \w+){0,3}$/i

function isQuestion(text: string, person: Participant): boolean {
  if (/\?["'\s]*$/.test(text)) return true
  if (/[.!]\s*$/.test(text)) return false
  if (runOf(text).length > 35) return endsAsking.test(plain(text).split(/\s+/).slice(-14).join(' '))
  return (
    opener.test(plain(text)) ||
    (person.role === 'therapist' && /\b(?:do|did|have|are|were|can|could|would|will) (?:you|it|they|he|she)\b/i.test(text))
  )
}

export const sentencesOf = (text: string): { from: number; to: number; text: string }[] =>
  cutByStops(text)
    .map(({ from, to }) => ({ from, to, text: text.slice(from, to) }))
    .filter((part) => part.text !== '')

function namesIn(texts: readonly string[], written: readonly string[]): Set<string> {
  const spoken = new Set(texts.flatMap((text) => text.match(/\p{Lu}\p{Ll}+/gu) ?? []).map(nameOf))
  const names = new Set(written.flatMap(namesWritten).filter((name) => spoken.has(name)))
  const lower = new Set<string>()
  for (const text of texts) {
    for (const match of text.matchAll(/(?<=[\p{Ll}\p{N},;:]["')]?\s)\p{Lu}[\p{Ll}]+(?:['’-]\p{Lu}?\p{Ll}+)*/gu))
      names.add(nameOf(match[0]))
    for (const match of text.matchAll(/(?<=\s)\p{Ll}{2,}/gu)) lower.add(match[0])
  }
  for (const text of texts) {
    for (const [, word = ''] of text.matchAll(
      /(?:^|[.!?]\s+)(\p{Lu}\p{Ll}+)(?:'s|’s| (?:is|was|has|had|said|says|thinks|let|gave|will|can|could|would|came|did))\b/gu,
    )) {
      const name = nameOf(word)
      if (couldBeName(name)) names.add(name)
    }
  }
  return new Set([...names].filter((name) => !lower.has(name) && !calendar.test(name)))
}

export const calendar =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|new|year|year's|i)$/

const nameOf = (word: string): string => plain(word).toLowerCase().replace(/'s?$/, '')
