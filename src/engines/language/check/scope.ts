import type { Evidence } from '#contract/model/note.ts'
import type { Room, Unit } from './types.ts'

/** The part of the session one statement stands on. */
export interface Scope {
  /** The segments cited, in the order of the session. */
  readonly cited: readonly number[]
  /** The sentences quoted, and the rest of the turns they stand in. */
  readonly units: readonly Unit[]
  /** The questions the cited turns answer, and the answers to the cited questions. */
  readonly beside: readonly Unit[]
  /** A little before and after: enough to know who "she" is. */
  readonly around: readonly Unit[]
}

const reach = 3

export function scopeOf(room: Room, evidence: readonly Evidence[]): Scope {
  const cited = [...new Set(evidence.flatMap(({ segment_id }) => room.places.get(segment_id) ?? []))].toSorted((a, b) => a - b)
  const taken = new Set(cited)
  const units = cited.flatMap((at) => room.unitsAt(at))
  const beside: Unit[] = []
  for (const at of cited) {
    const before = questionBefore(room, at)
    if (before !== null && !taken.has(before)) {
      taken.add(before)
      beside.push(...room.unitsAt(before))
    }
    const reply = room.unitsAt(at).at(-1)?.reply
    if (reply && (room.unitsAt(at).at(-1)?.isQuestion ?? false) && !taken.has(reply.segment)) {
      taken.add(reply.segment)
      beside.push(...room.unitsAt(reply.segment))
    }
  }
  const around: Unit[] = []
  for (const at of cited) {
    for (let place = Math.max(0, at - reach); place <= Math.min(room.segments.length - 1, at + reach); place += 1) {
      if (taken.has(place)) continue
      taken.add(place)
      around.push(...room.unitsAt(place))
    }
  }
  return { cited, units, beside, around }
}

/** The turn of somebody else right before, where the cited turn answers it. */
function questionBefore(room: Room, at: number): number | null {
  const person = room.speakerAt(at)
  for (let place = at - 1; place >= Math.max(0, at - 2); place -= 1) {
    const other = room.speakerAt(place)
    if (other.id === person.id) continue
    return room.unitsAt(place).length > 0 && person.role !== 'therapist' ? place : null
  }
  return null
}
