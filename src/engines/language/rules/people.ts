import { interviewerScore } from '#domain/speaker-roles.ts'
import type { NoteStyle } from '#contract/model/template.ts'
import type { Speaker } from '#contract/model/transcript.ts'
import type { DraftClient } from '../port.ts'
import type { Person, Room } from './types.ts'

const she = { subject: 'she', object: 'her', possessive: 'her', absolute: 'hers', reflexive: 'herself' } as const
const he = { subject: 'he', object: 'him', possessive: 'his', absolute: 'his', reflexive: 'himself' } as const
export const they = { subject: 'they', object: 'them', possessive: 'their', absolute: 'theirs', reflexive: 'themselves' } as const
export type Pronouns = typeof she | typeof he | typeof they

export function pronounsOf(text: string | null): Pronouns | null {
  const first = (text ?? '').toLowerCase().match(/\p{L}+/u)?.[0]
  if (first === 'she' || first === 'her') return she
  if (first === 'he' || first === 'him') return he
  return first === 'they' || first === 'them' ? they : null
}

const generic =
  /^(?:client|patient|therapist|clinician|counsell?or|doctor|speaker|person|participant|unknown|voice|guest|interviewer|me|you|partner|mother|father|parent|son|daughter|sp|spk)\b|^\p{L}?\d*$/iu
const title = /^(?:mr|mrs|ms|miss|mx|dr|prof)\.?$/i

function givenName(full: string): string {
  const parts = full.trim().split(/\s+/)
  return title.test(parts[0] ?? '') ? parts.slice(0, 2).join(' ') : (parts[0] ?? full)
}

export function peopleOf(
  speakers: readonly Speaker[],
  client: DraftClient | null,
  calledAs: NoteStyle['client_as'] = 'name',
): Person[] {
  const clientSpeakers = speakers.filter((speaker) => speaker.role === 'client')
  const people = speakers.map((speaker) => personOf(speaker, client, clientSpeakers.length === 1))
  return people.map((person) => {
    const isShared = people.some((other) => other.id !== person.id && other.name === person.name)
    const speaker = speakers.find((each) => each.id === person.id)
    const named = isShared && speaker && !generic.test(speaker.label) ? { ...person, name: speaker.label } : person
    return named.role === 'client' ? { ...named, name: calledBy(calledAs, named.name, clientSpeakers.length === 1) } : named
  })
}

function calledBy(calledAs: NoteStyle['client_as'], name: string, isOnlyClient: boolean): string {
  if (calledAs === 'name' || name.startsWith('the client')) return name
  const initials = name
    .split(/\s+/)
    .map((word) => `${word.charAt(0).toUpperCase()}.`)
    .join(' ')
  return calledAs === 'initials' ? initials : isOnlyClient ? 'the client' : `the client (${initials})`
}

function personOf({ id, role, label: given }: Speaker, client: DraftClient | null, isOnlyClient: boolean): Person {
  const label = given.trim()
  const hasName = label !== '' && !generic.test(label)
  const isOneOfSeveral = !isOnlyClient
  if (role === 'client' && client !== null && (isOnlyClient || (hasName && sameName(label, client)))) {
    const name = client.given_name ?? givenName(client.display_name)
    return { id, role, name, pronouns: pronounsOf(client.pronouns), isOneOfSeveral }
  }
  return { id, role, name: hasName ? givenName(label) : roleName(role, label, isOnlyClient), pronouns: null, isOneOfSeveral }
}

function roleName(role: Speaker['role'], label: string, isOnlyClient: boolean): string {
  if (role === 'therapist') return 'Therapist'
  if (role === 'client') return isOnlyClient || label === '' ? 'the client' : `the client (${label})`
  return label === '' ? 'another person' : label
}

function sameName(label: string, client: DraftClient): boolean {
  const first = givenName(label).toLowerCase()
  return first === givenName(client.display_name).toLowerCase() || first === client.given_name?.toLowerCase()
}

export type RoleReading =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unknown'; readonly likely: string | null }
  | { readonly kind: 'swapped' }

export function readRoles(room: Room): RoleReading {
  const scores = scoresOf(room)
  const [first, second] = scores
  const gap = first && second ? first.score - second.score : 0
  const clear = room.turns.length >= 20 && scores.length === 2 && gap >= 1.5
  const speaking = new Set(room.turns.map((turn) => turn.person.id))
  const roles = room.people.filter((person) => speaking.has(person.id)).map((person) => person.role)
  const isUnknown =
    roles.every((role) => role === 'unknown') ||
    room.turns.some((turn) => turn.person.id === '' || turn.person.role === 'unknown')
  if (isUnknown) return { kind: 'unknown', likely: clear ? (first?.name ?? null) : null }
  const likely = clear ? room.people.find((person) => person.id === first?.id) : null
  return likely?.role === 'client' && roles.includes('therapist') && gap >= 2.5 ? { kind: 'swapped' } : { kind: 'fine' }
}

function scoresOf(room: Room): { id: string; name: string; score: number }[] {
  const ids = [...new Set(room.turns.map((turn) => turn.person.id))]
  return ids
    .map((id) => {
      const turns = room.turns.filter((turn) => turn.person.id === id)
      const measured = turns.map(({ sentences }) => ({
        text: sentences.map(({ clean }) => clean).join(' '),
        isAsking: sentences.some(({ isQuestion }) => isQuestion),
      }))
      return { id, name: turns[0]?.person.name ?? '', score: interviewerScore(measured) }
    })
    .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}
