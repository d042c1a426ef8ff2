import type { Clock } from '#base/clock.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import { requireReach } from '#service/access/reach.ts'
import type { Call, Reply } from '#service/access/call.ts'
import type { Assessed } from '../schedule/assess.ts'
import { minuteMs, writeWall } from '../schedule/wall.ts'
import { changed } from '../store/records.ts'
import { liftSessions, markBooked } from '../store/schedule.ts'
import { getSession, updateSession } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'
import type { Question } from './ask.ts'
import type { SessionBody } from './make-sessions.ts'
import { makeSessions, participantsOf } from './make-sessions.ts'
import type { Offer } from './offers.ts'
import { conflictsTold } from './answer.ts'

type Booked = { id: string; version: number }

/** What is to be booked, looked at in this very transaction. */
export interface Order {
  readonly question: Question
  readonly assessed: Assessed
  /** Of the offer it is kept by. */
  readonly id: string
  readonly moves: Offer['moves']
}

export async function carryOut(db: Write, call: Call<'schedule'>, clock: Clock, order: Order): Promise<Reply<ScheduleAnswer>> {
  const { question, assessed, id, moves } = order
  const { moving } = question.search.wanted
  const moved = await moveOthers(db, call, moves)
  const appointments = moving === null ? await insertAll(db, call, clock, order) : [await moveItself(db, call, order, moving)]
  const data: ScheduleAnswer = {
    status: assessed.blocked.size === 0 ? 'ok' : 'partial',
    conflicts: conflictsTold(assessed, [], []),
    proposals: [],
    infeasible_core: [],
    appointment: appointments[0] ?? null,
    appointments,
    moved,
  }
  // Whoever comes for it later is offered times like it; the words it was asked for in are nobody's any more.
  const { text: _words, ...request } = question.body
  await markBooked(
    db,
    call.practice,
    id,
    JSON.stringify(data),
    JSON.stringify(offerOf({ ...question, body: request }, assessed, moves)),
  )
  const touched = [...[...appointments, ...moved].map((one) => one.id), ...question.clients.map((one) => one.id)]
  return { status: 200, data, record: { kind: 'booking', id, version: 1 }, touched }
}

async function insertAll(db: Write, { practice, now }: Call, clock: Clock, { question, assessed }: Order): Promise<Booked[]> {
  const { zones } = question.search.world
  const [, ...others] = question.clients.map((one) => one.id)
  const making = { clock, practice, now, tzVersion: zones.version, others }
  const sessions = await makeSessions(db, making, bodyOf(question, assessed), heldOf(assessed))
  return sessions.map((one) => ({ id: one.id, version: one.version }))
}

function bodyOf({ body: { request }, clients, asked, search }: Question, { place, slots, blocked }: Assessed): SessionBody {
  const { clinician, room } = place
  // Whatever cannot take place is an exception of the series from its beginning.
  const left = new Set([...asked.without, ...[...blocked].map(({ wall }) => wall)])
  const at = (wall: number): string => new Date(search.world.zones.resolve(clinician.zone, wall).instant).toISOString()
  const names = clients.map((one) => one.display_name)
  const { rrule } = request
  return {
    client_id: clients[0]!.id,
    session_type: request.type,
    duration_minutes: request.duration_minutes,
    modality: request.modality,
    clinician_id: clinician.id,
    status: 'scheduled',
    participants: participantsOf(request.type, names),
    time_zone: clinician.zone,
    recurrence:
      rrule === undefined ? null : { rrule, exdates: [...left].map(at).toSorted(), wall_start: writeWall(slots[0]!.wall) },
    room_id: room?.id ?? null,
    cpt_code: null,
    presenting_concerns: [],
    started_at: null,
    finished_at: null,
  }
}

async function moveItself(db: Write, { practice, now }: Call, { assessed }: Order, moving: string): Promise<Booked> {
  const { clinician, room } = assessed.place
  const next = movedTo(changed(await getSession(db, practice, moving), now), heldOf(assessed)[0]!.start)
  const session = { ...next, clinician_id: clinician.id, room_id: room?.id ?? null }
  await updateSession(db, practice, session)
  return { id: session.id, version: session.version }
}

/** With leave: each was named by the one who books, and may be reached by them. */
async function moveOthers(db: Write, call: Call, moves: Offer['moves']): Promise<Booked[]> {
  if (moves.length === 0) return []
  for (const { id } of moves) await requireReach(db, call, 'sessions', id)
  await liftSessions(
    db,
    call.practice,
    moves.map(({ id }) => id),
  )
  const moved: Booked[] = []
  for (const { id, to } of moves) {
    const session = movedTo(changed(await getSession(db, call.practice, id), call.now), Date.parse(to))
    await updateSession(db, call.practice, session)
    moved.push({ id, version: session.version })
  }
  return moved
}

const heldOf = ({ slots, blocked }: Assessed) => slots.filter((slot) => !blocked.has(slot))

const movedTo = <Moved extends { starts_at: string; ends_at: string; duration_minutes: number }>(
  session: Moved,
  start: number,
): Moved => ({
  ...session,
  starts_at: new Date(start).toISOString(),
  ends_at: new Date(start + session.duration_minutes * minuteMs).toISOString(),
})

function offerOf({ body }: Pick<Question, 'body'>, assessed: Assessed, moves: Offer['moves']): Offer {
  const { clinician, room } = assessed.place
  const walls = heldOf(assessed).map(({ wall }) => writeWall(wall))
  return {
    request: body,
    clinician_id: clinician.id,
    room_id: room?.id ?? null,
    zone: clinician.zone,
    walls,
    moves,
    version: null,
  }
}
