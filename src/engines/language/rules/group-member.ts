import type { NoteBody, Statement } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import { noticesOf } from '../notices.ts'
import { escapePattern } from './clean.ts'
import { riskTopic } from './lexicon/topics.ts'
import { peopleOf } from './people.ts'
import { textOf } from './quotes.ts'
import { statementOf } from './statements.ts'
import type { SessionView } from './session.ts'
import { contentStems, normalise, wordsOf } from '../text/words.ts'
import type { Fact, Person, Room, Sentence, Turn } from './types.ts'

type Asked = Pick<DraftRequest, 'session' | 'client' | 'speakers'>

export const isGroupNote = ({ template, session }: Pick<DraftRequest, 'session'> & { readonly template?: string }): boolean =>
  template === 'group' || session?.session_type === 'group'

export type MemberNote = ReturnType<typeof memberNote>

/**
 * A group note is about one member: what the member said, and what leaders said to the member or to everyone. The note
 * must not contain other members' words or names.
 */
export function memberNote(view: SessionView, request: Asked) {
  const { room } = view
  const [only, ...more] = room.clients
  const isOnlyVoice = only !== undefined && more.length === 0 && !isAnothers(only, request)
  const member = isOnlyVoice ? only : memberAmong(room.clients, request)
  const others = otherNames(room.people, member, request)
  const isOwn = (person: Person): boolean => person === member || person.role === 'therapist'
  const namesNobody = (text: string): boolean => !others.some((name) => name.test(text))
  const isOfLeaders = leadersWordsFor(room, member, namesOf(request))
  const sentences = room.sentences.filter(
    (sentence) =>
      (sentence.person.role === 'therapist' ? isOfLeaders(sentence) : sentence.person === member) && namesNobody(sentence.raw),
  )
  const kept = new Set(sentences.map(({ index }) => index))
  const ofOthers = othersWords(room, kept)
  const people = room.people.filter(isOwn)
  const shown: SessionView = {
    ...view,
    room: { ...room, sentences, people, turns: turnsOf(room, kept), clients: member === null ? [] : [member] },
    stale: new Map([...view.stale].filter(([index]) => kept.has(index))),
    names: people.map(({ name }) => name),
  }
  return {
    view: shown,
    statements: [attendance(room.clients.length, request)],
    checks: noticesOf([['member-unknown', member === null]]),
    keeps: (fact: Pick<Fact, 'person' | 'text' | 'spans'>): boolean =>
      (fact.person === null || isOwn(fact.person)) &&
      namesNobody(fact.text) &&
      fact.spans.every((span) => kept.has(span.sentence.index) && namesNobody(textOf(span))),
    /** True if `text` names no other member and has no content word that occurs only in the sentences left out of the note. */
    holdsNothingOfOthers: (text: string): boolean =>
      namesNobody(text) && ![...contentStems(wordsOf(text))].some((stem) => ofOthers.has(stem)),
  }
}

/** Removes sentences but no turns, so that answers stay next to their questions. */
const turnsOf = (room: Room, kept: ReadonlySet<number>): Room['turns'] =>
  room.turns.map((turn) => {
    const sentences = turn.sentences.filter(({ index }) => kept.has(index))
    return sentences.length === turn.sentences.length
      ? turn
      : { ...turn, sentences, words: sentences.flatMap(({ words }) => words) }
  })

function othersWords(room: Room, kept: ReadonlySet<number>): ReadonlySet<string> {
  const stems = (sentences: readonly Sentence[]): Set<string> => new Set(sentences.flatMap((sentence) => [...sentence.stems]))
  const own = stems(room.sentences.filter(({ index }) => kept.has(index)))
  const others = stems(room.sentences.filter(({ index }) => !kept.has(index)))
  return new Set([...others].filter((stem) => !own.has(stem)))
}

export const withheld = (unsupported: NoteBody['unsupported'], { holdsNothingOfOthers }: MemberNote): NoteBody['unsupported'] =>
  unsupported.map((each) => (holdsNothingOfOthers(`${each.text} ${each.reason}`) ? each : ofSomebodyElse))

const ofSomebodyElse = {
  text: 'A sentence that may hold another member’s words is not shown here.',
  reason: 'it may be about another member of the group',
}

function namesOf({ client }: Asked): string[] {
  if (client === null) return []
  return [client.given_name, client.display_name, client.display_name.split(' ')[0]].filter(
    (name) => name != null && name !== '',
  ) as string[]
}

function isAnothers({ id }: Person, asked: Asked): boolean {
  const own = new Set(namesOf(asked).flatMap(wordsOfName))
  const [label = ''] = wordsOfName(asked.speakers.find((speaker) => speaker.id === id)?.label ?? '')
  return !own.has(label) && (asked.session?.participants ?? []).some(({ name }) => wordsOfName(name).includes(label))
}

function memberAmong(clients: readonly Person[], asked: Asked): Person | null {
  const wanted = namesOf(asked).map(normalise)
  const names = new Map(peopleOf(asked.speakers, asked.client).map(({ id, name }) => [id, name]))
  const named = clients.filter(
    (person) => !isAnothers(person, asked) && wanted.includes(normalise(names.get(person.id) ?? person.name)),
  )
  return named.length === 1 ? named[0]! : null
}

function otherNames(people: readonly Person[], member: Person | null, { client, session, speakers }: Asked): RegExp[] {
  const own = new Set([client?.display_name ?? '', client?.given_name ?? '', member?.name ?? ''].flatMap(wordsOfName))
  const leaders = people.filter(({ role }) => role === 'therapist')
  const led = new Set(
    leaders.flatMap(({ id, name }) => [name, speakers.find((speaker) => speaker.id === id)?.label ?? '']).flatMap(wordsOfName),
  )
  const labels = speakers.filter(({ id }) => !leaders.some((leader) => leader.id === id)).map(({ label }) => label)
  const present = (session?.participants ?? []).map(({ name }) => name)
  const words = [...people.filter(({ role }) => role !== 'therapist').map(({ name }) => name), ...labels, ...present].flatMap(
    wordsOfName,
  )
  return [...new Set(words)]
    .filter((word) => !own.has(word) && !led.has(word) && !common.has(word))
    .map((word) => new RegExp(`(?<![\\p{L}])${escapePattern(word)}(?![\\p{L}])`, 'iu'))
}

const common = new Set('the client member speaker person another group unknown voice part patient guest'.split(' '))

const wordsOfName = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}'’-]+/u)
    .filter((word) => word.length > 1)

function attendance(voices: number, { session }: Asked): Statement {
  const listed = (session?.participants ?? []).filter(({ role }) => role === 'client' || role === 'group_member').length
  const text = listed > 0 ? `Members present: ${listed}.` : `Voices of members heard: ${voices}.`
  return statementOf(text, { support: 'clinician_entered' })
}

const toAll =
  /\b(?:everyone|everybody|all of you|(?:each|both) of you|you all|today we(?:'ll| will|'re going to| are going to)|let's|let us|as a group|the (?:whole )?group)\b/i
const toAllAsWell = /\b(?:(?:all|each|both) of you|you all|(?:thank|see) you)\b/gi
const toSomebody = /\b(?:you|your|yours|yourself|you're|you've|you'd|you'll)\b/i
const pointsBack =
  /\b(?:that|those|what|he|she|him|her|his|hers|they|them|their)\b|\bthis\b(?! (?:week|evening|morning|afternoon|session|group|time|room|month|exercise|practice))/i
const ofTheCalendar = /^(?:week|day|month|year|time|morning|evening|night|today|tonight|tomorrow|next|again|every)/
const ofAThird = /\b(?:he|she|him|her|his|hers|they|them|their)\b/i

/** Selects the leaders' sentences for this member or for everyone. Doubtful sentences are left out. */
function leadersWordsFor(room: Room, member: Person | null, names: readonly string[]): (sentence: Sentence) => boolean {
  const kept = new Set<number>()
  const called = calling(names)
  const ofOthers = new Set<string>()
  const ofMember = new Set<string>()
  let sinceMember = new Set<string>()
  for (const turn of room.turns) {
    if (turn.person.role === 'therapist') {
      const about = { ofOthers, ofMember: new Set([...ofMember, ...stemsOf(turnAfter(room, turn, member))]), sinceMember, called }
      for (const sentence of ownOf(room, turn, member, about)) kept.add(sentence.index)
    } else if (turn.person === member) {
      stemsOf(turn).forEach((stem) => ofMember.add(stem))
      sinceMember = new Set()
    } else
      for (const stem of stemsOf(turn)) {
        ofOthers.add(stem)
        sinceMember.add(stem)
      }
  }
  return ({ index }) => kept.has(index)
}

interface Said {
  readonly called: RegExp | null
  readonly ofOthers: ReadonlySet<string>
  readonly ofMember: ReadonlySet<string>
  readonly sinceMember: ReadonlySet<string>
}

function ownOf(room: Room, turn: Turn, member: Person | null, said: Said): Sentence[] {
  const before = room.turns.findLast((each) => each.index < turn.index && each.person.role !== 'therapist')
  const after = room.turns.find((each) => each.index > turn.index && each.person.role !== 'therapist')
  const isOthers = (each: Turn | undefined): boolean => each !== undefined && each.person !== member
  const isMembers = (each: Turn | undefined): boolean => each !== undefined && each.person === member
  const isAboutOther = (sentence: Sentence): boolean =>
    ofAThird.test(sentence.clean) && [...sentence.stems].some((stem) => said.ofOthers.has(stem) && !said.ofMember.has(stem))
  const repeats = ({ stems }: Sentence): boolean =>
    [...stems].some((stem) => said.sinceMember.has(stem) && !ofTheCalendar.test(stem))
  if (!isOthers(before) && !isOthers(after) && (isMembers(before) || isMembers(after)))
    return turn.sentences.filter((sentence) => !isAboutOther(sentence))
  const isAnsweredByMember = isMembers(after) && !leadsBetween(room, turn, after)
  const named = isAnsweredByMember ? turn.sentences.findIndex(({ clean }) => said.called?.test(clean)) : -1
  return turn.sentences.filter((sentence, at) => {
    if (repeats(sentence)) return false
    if (named >= 0 && at >= named) return !isAboutOther(sentence)
    // A risk question that this member answered next is for this member, unless it mentions a third person.
    if (isAnsweredByMember && at === turn.sentences.length - 1 && sentence.isQuestion && riskTopic(sentence.raw) !== null)
      return !ofAThird.test(sentence.clean)
    return isToAll(sentence) && !(sentence.isQuestion && isOthers(after))
  })
}

const leadsBetween = (room: Room, turn: Turn, after: Turn | undefined): boolean =>
  room.turns.slice(turn.index + 1, after?.index).some((each) => !each.isBackchannel)

function turnAfter(room: Room, turn: Turn, member: Person | null): Turn | null {
  const next = room.turns[turn.index + 1]
  return next?.person === member ? next : null
}

const isToAll = ({ clean }: Sentence): boolean =>
  toAll.test(clean) && !toSomebody.test(clean.replace(toAllAsWell, ' ')) && !pointsBack.test(clean)

function calling(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null
  return new RegExp(`(?:^|[,.?!] )(?:(?:and|so|now|okay) )?(?:${names.map(escapePattern).join('|')})\\b`, 'i')
}

const stemsOf = (turn: Turn | null): Set<string> =>
  turn === null ? new Set() : contentStems(turn.sentences.flatMap(({ clean }) => wordsOf(clean)))
