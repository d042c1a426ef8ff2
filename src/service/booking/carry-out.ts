import type { Clock } from '#base/clock.ts'
import type { ScheduleAnswer, ScheduleRequest } from '#contract/model/schedule.ts'
import { requireReach } from '#service/access/reach.ts'
import type { Call, Reply } from '#service/access/call.ts'
import type { Assessed } from '../schedule/score.ts'
import { MINUTE_MS, writeWall } from '../schedule/wall.ts'
import { changed, newRecord } from '../store/records.ts'
import { liftSessions, markBooked } from '../store/schedule.ts'
import { getSession, updateSession, insertSession, keepWall } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'
import type { Question } from './ask.ts'
import { newId } from '#base/ids.ts'
import type { Participant, Session } from '#contract/model/session.ts'
import type { Slot } from '../schedule/world.ts'
import type { Offer } from './offers.ts'
import { conflictsTold } from './answer.ts'

type Booked = { id: string; version: number }

export interface Order {
  readonly question: Question
  readonly assessed: Assessed
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
  const { text: _words, ...request } = question.body
  const offer = offerOf(request, assessed, moves)
  await markBooked(db, call.practice, id, JSON.stringify(data), JSON.stringify(offer))
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

async function moveOthers(db: Write, call: Call, moves: Offer['moves']): Promise<Booked[]> {
  if (moves.length === 0) return []
  for (const { id } of moves) await requireReach(db, call, 'sessions', id)
  const ids = moves.map(({ id }) => id)
  await liftSessions(db, call.practice, ids)
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
  ends_at: new Date(start + session.duration_minutes * MINUTE_MS).toISOString(),
})

function offerOf(request: ScheduleRequest, assessed: Assessed, moves: Offer['moves']): Offer {
  const { clinician, room } = assessed.place
  const walls = heldOf(assessed).map(({ wall }) => writeWall(wall))
  return { request, clinician_id: clinician.id, room_id: room?.id ?? null, zone: clinician.zone, walls, moves, version: null }
}

type SessionBody = Omit<
  Session,
  'id' | 'created_at' | 'updated_at' | 'version' | 'starts_at' | 'ends_at' | 'series_id' | 'occurrence_start'
>

interface Making {
  readonly clock: Clock
  readonly practice: string
  readonly now: string
  readonly tzVersion: string
  readonly others: readonly string[]
}

export async function makeSessions(db: Write, making: Making, body: SessionBody, slots: readonly Slot[], firstId?: string) {
  const { clock, practice, now, tzVersion, others } = making
  const series_id = body.recurrence === null ? null : newId(clock)
  const made: Session[] = []
  for (const [index, slot] of slots.entries()) {
    const id = index === 0 && firstId !== undefined ? firstId : newId(clock)
    const starts_at = new Date(slot.start).toISOString()
    const ends_at = new Date(slot.start + body.duration_minutes * MINUTE_MS).toISOString()
    const occurrence_start = series_id && starts_at
    const session: Session = { ...body, ...newRecord(id, now), starts_at, ends_at, series_id, occurrence_start }
    await insertSession(db, practice, session, others)
    const kept = { session_id: id, wall: writeWall(slot.wall), time_zone: body.time_zone, tz_version: tzVersion, starts_at }
    if (series_id !== null) await keepWall(db, practice, { ...kept, series_id })
    made.push(session)
  }
  return made
}

const seconds = { couple: 'partner', family: 'family', group: 'group_member' } as const

function participantsOf(type: Session['session_type'], names: readonly string[]): Participant[] {
  if (names.length < 2) return []
  const role = type === 'couple' || type === 'family' || type === 'group' ? seconds[type] : 'client'
  return names.map((name, index) => ({ name, role: index === 0 && type !== 'group' ? 'client' : role }))
}
