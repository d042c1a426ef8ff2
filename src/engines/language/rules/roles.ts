import { interviewerScore } from '#domain/speaker-roles.ts'
import type { Room } from './types.ts'

export type RoleReading =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unknown'; readonly likely: string | null }
  | { readonly kind: 'swapped' }

/** The roles given stand; wording alone is only used to ask. Fewer than 20 turns tell nothing. */
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
