import type { Call, Effect, Refused, Reply } from '#service/access/call.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import { worldZones } from '../schedule/zone.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Database, Write } from '../store/tables.ts'
import { assessAt, check, conflictsTold, type Finding, makeRoom, offer, offersFor, tell } from './answer.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { questionOf, type Tools, type Question } from './ask.ts'
import { newId } from '#base/ids.ts'
import { SlotLost, NotFound, invalidField } from '#service/kernel/problem.ts'
import { type Assessed, assess } from '../schedule/score.ts'
import { readWall } from '../schedule/wall.ts'
import { slotAt, type Busy, indexBusy, type BusyIndex } from '../schedule/world.ts'
import { findOffer, insertOffers, versionsOf } from '../store/schedule.ts'
import { carryOut } from './carry-out.ts'
import { type Offer, keepOffers } from './offers.ts'
import { conflictsAt, isHard } from '../schedule/conflicts.ts'
import type { Search } from '../schedule/propose.ts'
import { standing } from '../schedule/resolve.ts'

export interface BookingServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

export async function handleSchedule(
  { db, clock, log }: BookingServices,
  call: Call<'schedule'>,
): Promise<Effect<ScheduleAnswer>> {
  const { mode, proposal_id } = call.body
  const tools = { clock, log, zones: worldZones }
  if (mode === 'book') {
    return (write) => (proposal_id === null ? bookStart(write, call, tools) : bookOffer(write, call, tools, proposal_id))
  }
  // Search outside the write transaction, so other writers don't wait.
  const question = await inPractice(db, call.practice, (read) => questionOf(read, call, call.body, tools))
  const finding = await findingOf(call, question)
  return (write) => tell(write, call, clock, question, finding)
}

function findingOf({ body }: Call<'schedule'>, question: Question): Promise<Finding> {
  if (body.mode === 'check') return check(question)
  return body.mode === 'resolve' ? makeRoom(question, body.max_moves) : offer(question)
}

type Booking = Call<'schedule'>
type Outcome = Promise<Reply<ScheduleAnswer> | Refused>

async function bookStart(db: Write, call: Booking, tools: Tools): Outcome {
  const { clock } = tools
  const { body } = call
  if (body.request.session_id !== undefined)
    throw invalidField('/proposal_id', 'a session moves by a proposal, or by PATCH /sessions')
  const question = await questionOf(db, call, body, tools)
  const assessed = assessAt(question)
  const isPossible =
    assessed.blocked.size === 0 || (body.series_partial === 'allow' && assessed.blocked.size < assessed.slots.length)
  if (!isPossible) return lost(db, call, clock, question, assessed, 'This time isn’t available.')
  const id = newId(clock)
  await insertOffers(db, call.practice, call.caller.person_id, [{ id, body: '{}', expires_at: call.now, booked: null }])
  return carryOut(db, call, clock, { question, assessed, id, moves: [] })
}

async function bookOffer(db: Write, call: Booking, tools: Tools, id: string): Outcome {
  const { clock } = tools
  const kept = await findOffer(db, call.practice, call.caller.person_id, id)
  if (kept === null) throw new NotFound(id)
  const offer = JSON.parse(kept.body) as Offer
  const question = await questionOf(db, call, offer.request, tools)
  const missing = offer.moves.filter((move) => !call.body.accept_moves.includes(move.id))
  if (missing.length > 0) throw invalidField('/accept_moves', 'every appointment that would move must be named')
  const assessed = await assessOffer(db, call, question, offer)
  if (kept.booked !== null) return lost(db, call, clock, question, assessed, 'This was already booked.')
  if (kept.expires_at < call.now) return lost(db, call, clock, question, assessed, 'This offer has expired.')
  if (assessed === null || assessed.blocked.size > 0)
    return lost(db, call, clock, question, assessed, 'This time is no longer available.')
  return carryOut(db, call, clock, { question, assessed, id, moves: offer.moves })
}

async function assessOffer(db: Write, call: Booking, { search }: Question, offer: Offer): Promise<Assessed | null> {
  const { world, wanted } = search
  const clinician = world.clinicians.find(({ id }) => id === offer.clinician_id)
  const room = world.rooms.find(({ id }) => id === offer.room_id) ?? null
  if (clinician === undefined || (offer.room_id !== null && room === null)) return null
  const named = [...offer.moves, ...(wanted.moving === null ? [] : [{ id: wanted.moving, version: offer.version }])]
  const ids = named.map(({ id }) => id)
  const versions = await versionsOf(db, call.practice, ids)
  if (named.some(({ id, version }) => versions.find((one) => one.id === id)?.version !== version)) return null
  const index = offer.moves.length === 0 ? indexBusy(world.busy) : movedIndex(search, offer.moves)
  if (index === null) return null
  const slots = offer.walls.map((wall) => slotAt(world.zones, offer.zone, readWall(wall), wanted.minutes))
  return assess(world, index, wanted, { clinician, room }, slots)
}

async function lost(db: Write, call: Booking, clock: Clock, question: Question, assessed: Assessed | null, detail: string) {
  const told = await offersFor(question, 3)
  const proposals = await keepOffers(db, call, clock, question.search.world.zones, { ...question.body, proposal_id: null }, told)
  const conflicts = assessed === null ? [] : conflictsTold(assessed, told, proposals)
  return { refusal: new SlotLost(detail, conflicts, proposals) }
}

function movedIndex({ world, wanted, clinicians }: Search, moves: readonly { id: string; to: string }[]): BusyIndex | null {
  const busy = world.busy.map((one): Busy => {
    const move = moves.find(({ id }) => id === one.id)
    if (move === undefined) return one
    const start = Date.parse(move.to)
    return { ...one, start, end: start + (one.end - one.start) }
  })
  const index = indexBusy(busy)
  const fits = moves.every(({ id }) => {
    const moved = busy.find((one) => one.id === id)
    if (moved === undefined) return false
    const { place, as } = standing(world, clinicians[0]!, wanted, moved)
    const wall = world.zones.wallOf(place.clinician.zone, moved.start)
    const slot = { wall, start: moved.start, end: moved.end, flag: null }
    return !conflictsAt(world, index, as, place, slot).some(isHard)
  })
  return fits ? index : null
}
