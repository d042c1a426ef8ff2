import type { NoteBody, NoteCheck, Statement } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import { contentId } from './evidence.ts'
import { leadersWordsFor } from './group-leaders.ts'
import { peopleOf } from './people.ts'
import { textOf } from './quotes.ts'
import type { SessionView } from './session.ts'
import { contentStems, normalise, wordsOf } from './tokens.ts'
import type { Fact, Person, Room, Sentence } from './types.ts'

/** What tells whose note of a group this is. */
type Asked = Pick<DraftRequest, 'session' | 'client' | 'speakers'>

/** In whatever form: what was said in a group is never written as if one client had been alone in the room. */
export function isGroupNote({ template, session }: Pick<DraftRequest, 'session'> & { readonly template?: string }): boolean {
  return template === 'group' || session?.session_type === 'group'
}

export interface MemberNote {
  /** The room as this member's note may know it. */
  readonly view: SessionView
  readonly statements: readonly Statement[]
  readonly checks: readonly NoteCheck[]
  keeps(fact: Fact): boolean
  /** No other member is named in it, and none of its words is another's alone. */
  holdsNothingOfOthers(text: string): boolean
}

/**
 * A group's note is written for one member. It holds what this member said and what leaders said to them or to all, and
 * nothing in which another member speaks, is named or is spoken to: not as a statement, not as evidence, not as an omission.
 */
export function memberNote(view: SessionView, request: Asked): MemberNote {
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
  return {
    view: {
      ...view,
      room: { ...room, sentences, people, turns: turnsOf(room, kept), clients: member === null ? [] : [member] },
      stale: new Map([...view.stale].filter(([index]) => kept.has(index))),
      names: people.map(({ name }) => name),
    },
    statements: [attendance(room.clients.length, request)],
    checks: member === null ? [unknownMember] : [],
    keeps: (fact) =>
      (fact.person === null || isOwn(fact.person)) &&
      namesNobody(fact.text) &&
      fact.spans.every((span) => kept.has(span.sentence.index) && namesNobody(textOf(span))),
    holdsNothingOfOthers: (text) => namesNobody(text) && ![...contentStems(wordsOf(text))].some((stem) => ofOthers.has(stem)),
  }
}

/** Every turn keeps its place, so that nothing seems to answer what it does not; what is not this member's is gone from it. */
function turnsOf(room: Room, kept: ReadonlySet<number>): Room['turns'] {
  return room.turns.map((turn) => {
    const sentences = turn.sentences.filter(({ index }) => kept.has(index))
    return sentences.length === turn.sentences.length
      ? turn
      : { ...turn, sentences, words: sentences.flatMap(({ words }) => words) }
  })
}

/** Content words that stand in no sentence of this member's. */
function othersWords(room: Room, kept: ReadonlySet<number>): ReadonlySet<string> {
  const stems = (sentences: readonly Sentence[]): Set<string> => new Set(sentences.flatMap((sentence) => [...sentence.stems]))
  const own = stems(room.sentences.filter(({ index }) => kept.has(index)))
  const others = stems(room.sentences.filter(({ index }) => !kept.has(index)))
  return new Set([...others].filter((stem) => !own.has(stem)))
}

/** A sentence that was left out is listed, but not with words that may be another member's. */
export function withheld(unsupported: NoteBody['unsupported'], { holdsNothingOfOthers }: MemberNote): NoteBody['unsupported'] {
  return unsupported.map((each) => (holdsNothingOfOthers(`${each.text} ${each.reason}`) ? each : ofSomebodyElse))
}

const ofSomebodyElse = {
  text: 'A sentence that may hold another member’s words is not shown here.',
  reason: 'it may be about another member of the group',
}

const unknownMember: NoteCheck = {
  code: 'member-unknown',
  severity: 'needs_you',
  message: 'Which voice is this client’s? Name the voices, then draft again: until then nothing any member said is in the note.',
}

/** How somebody in the room calls this client, whatever the note calls them. */
function namesOf({ client }: Asked): string[] {
  if (client === null) return []
  return [client.given_name, client.display_name, client.display_name.split(' ')[0]].filter(
    (name) => name != null && name !== '',
  ) as string[]
}

/** The one voice that was told apart has the name of another member who was there. */
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

/** Every word of every other member's name, as whole words; a leader may be named. */
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
    .map((word) => new RegExp(`(?<![\\p{L}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}])`, 'iu'))
}

/** Words of labels that name nobody. */
const common = new Set([
  'the',
  'client',
  'member',
  'speaker',
  'person',
  'another',
  'group',
  'unknown',
  'voice',
  'part',
  'patient',
  'guest',
])

function wordsOfName(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}'’-]+/u)
    .filter((word) => word.length > 1)
}

/** How many were there, as the session's own list says, else as many voices as were told apart. Nobody is named. */
function attendance(voices: number, { session }: Asked): Statement {
  const listed = (session?.participants ?? []).filter(({ role }) => role === 'client' || role === 'group_member').length
  const text = listed > 0 ? `Members present: ${listed}.` : `Voices of members heard: ${voices}.`
  return {
    id: contentId('st', text, []),
    text,
    evidence: [],
    support: 'clinician_entered',
    origin: 'rules',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}
