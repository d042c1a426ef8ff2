import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { ScheduleProposal, ScheduleRequest } from '#contract/model/schedule.ts'
import type { Call } from '#service/access/call.ts'
import { type Search, tradeoffsOf, whyOf } from '../schedule/propose.ts'
import type { ConflictKind, Place } from '../schedule/conflicts.ts'
import type { Resolution } from '../schedule/resolve.ts'
import type { Scored } from '../schedule/score.ts'
import { writeWall } from '../schedule/wall.ts'
import type { Slot, BusyIndex } from '../schedule/world.ts'
import { writeOffset, type Zones } from '../schedule/zone.ts'
import { dropOffers, insertOffers, versionsOf } from '../store/schedule.ts'
import type { Write } from '../store/tables.ts'

const GOOD_FOR_MS = 15 * 60_000

export interface Offer {
  readonly request: ScheduleRequest
  readonly clinician_id: string | null
  readonly room_id: string | null
  readonly zone: string
  readonly walls: readonly string[]
  readonly moves: readonly { readonly id: string; readonly version: number; readonly from: string; readonly to: string }[]
  readonly version: number | null
}

export interface Told {
  readonly place: Place
  readonly slots: readonly Slot[]
  readonly moves: Resolution['moves']
  readonly score: number
  readonly why: readonly string[]
  readonly tradeoffs: readonly string[]
  readonly kinds: ReadonlySet<ConflictKind>
}

export function toldOf(search: Search, index: BusyIndex, scored: Scored, said: readonly string[]): Told {
  const { place, slots, blocked } = scored.assessed
  const why = [...whyOf(search, index, scored), ...said]
  return {
    place,
    slots: slots.filter((slot) => !blocked.has(slot)),
    moves: [],
    score: scored.score,
    why,
    tradeoffs: tradeoffsOf(scored),
    kinds: new Set(scored.assessed.conflicts.map(({ found }) => found.kind)),
  }
}

export function toldOfMoves({ slot, clinician, room, moves }: Resolution, said: readonly string[]): Told {
  const hours = Math.round(moves.reduce((sum, { busy, to }) => sum + Math.abs(to.start - busy.start), 0) / 360_000) / 10
  const count = moves.length === 1 ? '1 appointment' : `${moves.length} appointments`
  return {
    place: { clinician, room },
    slots: [slot],
    moves,
    score: Math.max(0, Math.round(100 - moves.length * 20 - hours)),
    why: [
      moves.length === 0
        ? 'The time is available.'
        : `The time is available if ${count} moved, ${hours} hours in total. No fewer moves work.`,
      ...said,
    ],
    tradeoffs: moves.length === 0 ? [] : [`${count} would have to agree to another time.`],
    kinds: new Set(),
  }
}

export async function keepOffers(
  db: Write,
  call: Pick<Call, 'practice' | 'caller' | 'now'>,
  clock: Clock,
  zones: Zones,
  request: ScheduleRequest,
  told: readonly Told[],
): Promise<ScheduleProposal[]> {
  const { practice, caller, now } = call
  await dropOffers(db, practice, now)
  const expires_at = new Date(Date.parse(now) + GOOD_FOR_MS).toISOString()
  const moving = request.request.session_id
  const moved = told.flatMap(({ moves }) => moves.map(({ busy }) => busy.id))
  const ids = [...new Set([...moved, ...(moving === undefined ? [] : [moving])])]
  const versions = new Map((await versionsOf(db, practice, ids)).map(({ id, version }) => [id, version]))
  const made = told.map((one) => {
    const { clinician, room } = one.place
    const offer: Offer = {
      request,
      clinician_id: clinician.id,
      room_id: room?.id ?? null,
      zone: clinician.zone,
      walls: one.slots.map(({ wall }) => writeWall(wall)),
      moves: one.moves.map(({ busy, to }) => ({
        id: busy.id,
        version: versions.get(busy.id)!,
        from: new Date(busy.start).toISOString(),
        to: new Date(to.start).toISOString(),
      })),
      version: moving === undefined ? null : versions.get(moving)!,
    }
    return { id: newId(clock), offer, one }
  })
  const rows = made.map(({ id, offer }) => ({ id, body: JSON.stringify(offer), expires_at, booked: null }))
  await insertOffers(db, practice, caller.person_id, rows)
  return made.map(({ id, one }) => ({ id, expires_at, ...proposalOf(one, zones) }))
}

function proposalOf({ place, slots, moves, score, why, tradeoffs }: Told, zones: Zones) {
  const { clinician, room } = place
  const at = (instant: number): string => writeWall(zones.wallOf(clinician.zone, instant))
  return {
    score,
    occurrences: slots.map(({ start, end }) => ({
      start: at(start),
      end: at(end),
      tzid: clinician.zone,
      utc_offset: writeOffset(zones.offsetAt(clinician.zone, start)),
    })),
    moves: moves.map(({ busy, to }) => ({
      appointment_id: busy.id,
      from: at(busy.start),
      to: at(to.start),
      needs_consent_of: [
        ...busy.client_ids.map((client) => `client:${client}`),
        ...(busy.clinician_id === null ? [] : [`clinician:${busy.clinician_id}`]),
      ],
    })),
    tradeoffs: [...tradeoffs],
    why: [...why],
    clinician_id: clinician.id,
    room_id: room?.id ?? null,
  }
}
