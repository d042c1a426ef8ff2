import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { requireMayWrite } from '#service/access/limited-fields.ts'
import { requirePeople, assignedTo } from '#service/access/people.ts'
import { getReached, rowsWithin, requireReach, idsWithin } from '#service/access/reach.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import { changed, newRecord } from '../store/records.ts'
import { insertSession, listSessions, updateSession, getSession, DoubleBooking } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { named } from './clients.ts'
import { AppError } from '#contract/errors.ts'

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
      // Loaded for a series alone: an app that starts has no time for it.
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
      // Loaded with the first question: an app that starts has no time for it.
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

/** What is refused because of another session names that session to whoever reaches it, and to nobody else. */
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
