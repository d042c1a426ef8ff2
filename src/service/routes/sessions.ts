import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { requireMayWrite } from '#service/access/limited-fields.ts'
import { requirePeople, assignedTo } from '#service/access/people.ts'
import { getReached, rowsWithin, requireReach, idsWithin } from '#service/access/reach.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion, Stale, NotFound } from '#service/kernel/problem.ts'
import { changed, newRecord, atFreeId } from '../store/records.ts'
import { insertSession, listSessions, updateSession, getSession, DoubleBooking } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { named } from './clients.ts'
import { AppError } from '#contract/errors.ts'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Availability, Room } from '#contract/model/availability.ts'
import { mayReach, withinScope } from '#service/access/scope.ts'
import {
  clinicianOf,
  findAvailability,
  findRoom,
  getAvailability,
  getRoom,
  insertAvailability,
  insertRoom,
  listAvailability,
  listRooms,
  updateAvailability,
  updateRoom,
} from '../store/availability.ts'

export function sessionHandlers({
  clock,
}: Services): HandlersOf<'listSessions' | 'getSession' | 'createSession' | 'updateSession'> {
  return {
    listSessions:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listSessions(db, practice, query, rowsWithin('sessions', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getSession: (call) => async (db) => ({ status: 200, data: await sessionFor(db, call), touched: [call.params.id] }),
    createSession: async (call) => {
      // Loaded on demand to keep startup fast.
      const { makeSeries } = call.body.recurrence === null ? { makeSeries: noSeries } : await import('../booking/series.ts')
      return async (db) => {
        const { practice, body, now } = call
        const client = await getReached<Client>(db, call, 'clients', body.client_id)
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
      const current = await sessionFor(db, call)
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

const sessionFor = (db: Database, call: Call<'getSession'> | Call<'updateSession'>): Promise<Session> =>
  getReached(db, call, 'sessions', call.params.id)

function endOf({ starts_at, duration_minutes }: Pick<Session, 'starts_at' | 'duration_minutes'>): string {
  return new Date(Date.parse(starts_at) + duration_minutes * 60_000).toISOString()
}

export function scheduleHandlers(services: Pick<Services, 'db' | 'clock' | 'log'>): HandlersOf<'schedule'> {
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

export function followingHandlers({ clock }: Pick<Services, 'clock'>): HandlersOf<'updateFollowing'> {
  return {
    updateFollowing: async (call) => {
      const { changeFollowing } = await import('../booking/series.ts')
      return async (db) => {
        const { practice, params, body, now } = call
        await requireReach(db, call, 'sessions', params.id)
        const current = await getSession(db, practice, params.id)
        requireVersion(call.ifMatch, current)
        await requireMayWrite(db, call, 'session', { ...current, fields: Object.keys(named(body)) })
        const data = await namingTheOther(db, call, () => changeFollowing(db, { practice, now, clock }, current, body))
        return { status: 200, data: { data }, touched: [...data.map(({ id }) => id), current.client_id] }
      }
    },
  }
}

/** Error messages name the conflicting session only to callers who may access it. */
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

export function roomHandlers(): HandlersOf<'listRooms' | 'getRoom' | 'putRoom'> {
  return {
    listRooms:
      ({ practice, query }) =>
      async (db) => {
        const data = await listRooms(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getRoom:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getRoom(db, practice, params.id), touched: [params.id] }),
    putRoom:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await findRoom(db, practice, params.id)
        requireCurrent(ifMatch, current)
        const room: Room = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
        if (current) await updateRoom(db, practice, room)
        else await atFreeId(db, 'rooms', params.id, () => insertRoom(db, practice, room))
        return { status: current ? 200 : 201, data: room, touched: [params.id] }
      },
  }
}

export function availabilityHandlers(): HandlersOf<'listAvailability' | 'getAvailability' | 'putAvailability'> {
  return {
    listAvailability:
      ({ practice, query, scope }) =>
      async (db) => {
        if (query.clinician_id !== undefined && !mayReach(scope, query.clinician_id)) throw new NotFound(query.clinician_id)
        const within = sql<SqlBool>`(${withinScope(scope, 'clinician_id')} or clinician_id is null)`
        const data = await listAvailability(db, practice, query, [within])
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getAvailability:
      ({ practice, params, scope }) =>
      async (db) => {
        const data = await getAvailability(db, practice, params.id)
        const clinician = clinicianOf(data)
        if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(params.id)
        return { status: 200, data, touched: [params.id] }
      },
    putAvailability: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await findAvailability(db, practice, params.id)
      if (current !== null) requireOwn(call, current)
      requireOwn(call, body)
      requireCurrent(ifMatch, current)
      await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: clinicianOf(body) }])
      if (body.kind === 'room_closed') await getRoom(db, practice, body.room_id)
      const { id, created_at, updated_at, version } = current ?? newRecord(params.id, now)
      const kept = { ...body, id, created_at, updated_at, version } as Availability
      const one = current ? changed(kept, now) : kept
      if (current) await updateAvailability(db, practice, one)
      else await atFreeId(db, 'availability', params.id, () => insertAvailability(db, practice, one))
      return { status: current ? 200 : 201, data: one, touched: [params.id] }
    },
  }
}

function requireCurrent(ifMatch: string | null, current: { readonly version: number } | null): void {
  if (current !== null) requireVersion(ifMatch, current)
  else if (ifMatch !== null) throw new Stale(null)
}

function requireOwn({ scope }: Pick<Call, 'scope'>, one: Pick<Availability, 'kind'> & { clinician_id?: string }): void {
  const clinician = clinicianOf(one)
  if (clinician === null && scope.clinicians !== 'all') throw new AppError('forbidden')
  if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(clinician)
}
