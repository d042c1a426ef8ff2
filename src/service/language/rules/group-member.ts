import type { NoteCheck, Statement } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import { contentId } from './evidence.ts'
import { textOf } from './quotes.ts'
import type { SessionView } from './session.ts'
import { normalise } from './tokens.ts'
import type { Fact, Person } from './types.ts'

export interface MemberNote {
  /** The room as this member's note may know it. */
  readonly view: SessionView
  readonly statements: readonly Statement[]
  readonly checks: readonly NoteCheck[]
  keeps(fact: Fact): boolean
}

/**
 * A group's note is written for one member. It holds what leaders and this member said, and nothing in which another
 * member speaks or is named: not as a statement, not as evidence, not as an omission.
 */
export function memberNote(view: SessionView, request: DraftRequest): MemberNote {
  const { room } = view
  const member = room.clients.length === 1 ? room.clients[0]! : memberAmong(room.clients, request)
  const others = otherNames(room.people, member, request)
  const isOwn = (person: Person): boolean => person === member || person.role === 'therapist'
  const namesNobody = (text: string): boolean => !others.some((name) => name.test(text))
  const sentences = room.sentences.filter((sentence) => isOwn(sentence.person) && namesNobody(sentence.raw))
  return {
    view: { ...view, room: { ...room, sentences, people: room.people.filter(isOwn), clients: member === null ? [] : [member] } },
    statements: [attendance(room.clients.length, request)],
    checks: member === null ? [unknownMember] : [],
    keeps: (fact) =>
      (fact.person === null || isOwn(fact.person)) &&
      namesNobody(fact.text) &&
      fact.spans.every((span) => isOwn(span.sentence.person) && namesNobody(textOf(span))),
  }
}

const unknownMember: NoteCheck = {
  code: 'member-unknown',
  severity: 'needs_you',
  message: 'Which voice is this client’s? Name the voices, then draft again: until then nothing any member said is in the note.',
}

function memberAmong(clients: readonly Person[], { client }: DraftRequest): Person | null {
  if (client === null) return null
  const wanted = [client.given_name, client.display_name, client.display_name.split(' ')[0]]
    .filter((name) => name != null)
    .map(normalise)
  const named = clients.filter(({ name }) => wanted.includes(normalise(name)))
  return named.length === 1 ? named[0]! : null
}

/** Every word of every other member's name, as whole words; a leader may be named. */
function otherNames(people: readonly Person[], member: Person | null, { client, session, speakers }: DraftRequest): RegExp[] {
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
function attendance(voices: number, { session }: DraftRequest): Statement {
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
