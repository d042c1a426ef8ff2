import { newId } from '#base/ids.ts'
import type { Session } from '#contract/model/session.ts'
import { requireMayWrite } from '#service/access/limited-fields.ts'
import { requirePeople, assignedTo } from '#service/access/people.ts'
import { getReached, idsWithin, rowsWithin } from '#service/access/reach.ts'
import { type Call, foundReply, type HandlersOf, pageReply, putReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { NotFound, requirePutVersion, requireVersion } from '#service/kernel/problem.ts'
import { changed, newRecord } from '../store/records.ts'
import { DoubleBooking, insertSession, listSessions, updateSession } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { named } from './clients.ts'
import { AppError } from '#contract/errors.ts'
import { sql, type SqlBool } from 'kysely'
import type { Availability, Room } from '#contract/model/availability.ts'
import { mayReach, withinScope } from '#service/access/authorization.ts'
import { clinicianOf, findAvailability, getAvailability, listAvailability, putAvailability } from '../store/schedule.ts'
import { findRoom, getRoom, listRooms, putRoom } from '../store/schedule.ts'

export const calendarHandlers = (services: Services) => ({
  ...sessionHandlers(services),
  ...scheduleHandlers(services),
  ...followingHandlers(services),
  ...roomHandlers(),
  ...availabilityHandlers(),
})

function sessionHandlers({ clock }: Services): HandlersOf<'listSessions' | 'getSession' | 'createSession' | 'updateSession'> {
  return {
    listSessions: (call) => async (db) =>
      pageReply(await listSessions(db, call.practice, call.query, rowsWithin('sessions', call.scope))),
    getSession: (call) => async (db) => foundReply(await getReached(db, call, 'sessions', call.params.id)),
    createSession: async (call) => {
      const { makeSeries } = call.body.recurrence === null ? { makeSeries: noSeries } : await import('../booking/series.ts')
      return async (db) => {
        const { practice, body, now } = call
        const client = await getReached(db, call, 'clients', body.client_id)
        const { id = newId(clock), series_partial, ...draft } = body
        const clinician_id = assignedTo(call, draft.clinician_id, client.clinician_id)
        await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: draft.clinician_id }])
        const session: Session = {
          ...draft,
          clinician_id,
          ...newRecord(id, now),
          ends_at: endOf(draft),
          started_at: null,
          finished_at: null,
          series_id: null,
          occurrence_start: null,
        }
        const series = await namingTheOther(db, call, async () => {
          if (session.recurrence === null) await insertSession(db, practice, session)
          return makeSeries(db, { practice, now, clock }, session, series_partial === 'allow')
        })
        const touched = [id, ...series.slice(1).map((one) => one.id), body.client_id]
        return { status: 201, data: series[0] ?? session, record: { kind: 'session', id, version: 1 }, touched }
      }
    },
    updateSession: (call) => async (db) => {
      const current = await getReached(db, call, 'sessions', call.params.id)
      requireVersion(call.ifMatch, current)
      await requireMayWrite(db, call, 'session', { ...current, fields: Object.keys(named(call.body)) })
      const next = changed({ ...current, ...named(call.body) }, call.now)
      const session = { ...next, ends_at: endOf(next) }
      await namingTheOther(db, call, () => updateSession(db, call.practice, session))
      return { status: 200, data: session, touched: [session.id, session.client_id] }
    },
  }
}

const noSeries = async (): Promise<Session[]> => []

function endOf({ starts_at, duration_minutes }: Pick<Session, 'starts_at' | 'duration_minutes'>): string {
  return new Date(Date.parse(starts_at) + duration_minutes * 60_000).toISOString()
}

function scheduleHandlers(services: Pick<Services, 'db' | 'clock' | 'log'>): HandlersOf<'schedule'> {
  return {
    schedule: async (call) => {
      const { mode } = call.body
      if (call.scope.limited !== null && (mode === 'book' || mode === 'resolve')) {
        throw new AppError('forbidden', 'This role reads the schedule and books nothing.')
      }
      const { handleSchedule } = await import('../booking/handle.ts')
      return handleSchedule(services, call)
    },
  }
}

function followingHandlers({ clock }: Pick<Services, 'clock'>): HandlersOf<'updateFollowing'> {
  return {
    updateFollowing: async (call) => {
      const { changeFollowing } = await import('../booking/series.ts')
      return async (db) => {
        const { practice, params, body, now } = call
        const current = await getReached(db, call, 'sessions', params.id)
        requireVersion(call.ifMatch, current)
        await requireMayWrite(db, call, 'session', { ...current, fields: Object.keys(named(body)) })
        const data = await namingTheOther(db, call, () => changeFollowing(db, { practice, now, clock }, current, body))
        return { status: 200, data: { data }, touched: [...data.map(({ id }) => id), current.client_id] }
      }
    },
  }
}

async function namingTheOther<Done>(
  db: Database,
  { practice, scope }: Pick<Call, 'practice' | 'scope'>,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DoubleBooking)) throw error
    const { whose, other } = error
    if (!(await idsWithin(db, practice, scope, 'sessions', [other])).has(other)) throw error
    throw new AppError('double-booking', `${whose} is already booked at this time (session ${other}).`)
  }
}

function roomHandlers(): HandlersOf<'listRooms' | 'getRoom' | 'putRoom'> {
  return {
    listRooms: (call) => async (db) => pageReply(await listRooms(db, call.practice, call.query)),
    getRoom: (call) => async (db) => foundReply(await getRoom(db, call.practice, call.params.id)),
    putRoom: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await findRoom(db, practice, params.id)
      requirePutVersion(ifMatch, current)
      const room: Room = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
      await putRoom(db, practice, room)
      return putReply(room)
    },
  }
}

function availabilityHandlers(): HandlersOf<'listAvailability' | 'getAvailability' | 'putAvailability'> {
  return {
    listAvailability: (call) => async (db) => {
      const { practice, query, scope } = call
      if (query.clinician_id !== undefined && !mayReach(scope, query.clinician_id)) throw new NotFound(query.clinician_id)
      const within = sql<SqlBool>`(${withinScope(scope, 'clinician_id')} or clinician_id is null)`
      return pageReply(await listAvailability(db, practice, query, [within]))
    },
    getAvailability: (call) => async (db) => {
      const { practice, params, scope } = call
      const data = await getAvailability(db, practice, params.id)
      const clinician = clinicianOf(data)
      if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(params.id)
      return foundReply(data)
    },
    putAvailability: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await findAvailability(db, practice, params.id)
      if (current !== null) requireOwn(call, current)
      requireOwn(call, body)
      requirePutVersion(ifMatch, current)
      await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: clinicianOf(body) }])
      if (body.kind === 'room_closed') await getRoom(db, practice, body.room_id)
      const { id, created_at, updated_at, version } = current ?? newRecord(params.id, now)
      const kept = { ...body, id, created_at, updated_at, version } as Availability
      const one = current ? changed(kept, now) : kept
      await putAvailability(db, practice, one)
      return putReply(one)
    },
  }
}

function requireOwn({ scope }: Pick<Call, 'scope'>, one: Pick<Availability, 'kind'> & { clinician_id?: string }): void {
  const clinician = clinicianOf(one)
  if (clinician === null && scope.clinicians !== 'all') throw new AppError('forbidden')
  if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(clinician)
}
