import type { Room } from './types.ts'

const interviewer =
  /\b(?:tell me|how long|any other|sounds like|on a scale|last session|last time|how (?:was|did|do|are) (?:that|you|it)|what (?:was|would|do you))\b/gi

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
      const words = turns.flatMap((turn) => turn.words)
      const hundreds = Math.max(words.length, 1) / 100
      const asks =
        turns.filter((turn) => turn.sentences.some((sentence) => sentence.isQuestion)).length / Math.max(turns.length, 1)
      const you = words.filter((word) => /^(?:you|your|you're|you've)$/.test(word)).length
      const own = words.filter((word) => /^(?:i|my|me|i'm|i've)$/.test(word)).length
      const phrases = turns.reduce(
        (sum, turn) =>
          sum + turn.sentences.reduce((inner, sentence) => inner + (sentence.clean.match(interviewer)?.length ?? 0), 0),
        0,
      )
      return {
        id,
        name: turns[0]?.person.name ?? '',
        score: 1.2 * asks + (0.25 * (you - own)) / hundreds + (0.8 * phrases) / hundreds,
      }
    })
    .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}
