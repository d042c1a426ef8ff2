import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { requireVersion } from '../stale.ts'
import { getClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'
import { getSession, insertSession, listSessions, updateSession } from '../store/sessions.ts'
import { named } from './clients.ts'

export function sessionHandlers({
  clock,
}: Services): HandlersOf<'listSessions' | 'getSession' | 'createSession' | 'updateSession'> {
  return {
    listSessions:
      ({ practice, query }) =>
      async (db) => {
        const data = await listSessions(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getSession:
      ({ practice, params }) =>
      async (db) => ({
        status: 200,
        data: await getSession(db, practice, params.id),
        touched: [params.id],
      }),
    createSession:
      ({ practice, body, now }) =>
      async (db) => {
        await getClient(db, practice, body.client_id)
        const { id = newId(clock), ...draft } = body
        const session: Session = {
          ...draft,
          ...newRecord(id, now),
          ends_at: endOf(draft),
          started_at: null,
          finished_at: null,
          series_id: null,
          occurrence_start: null,
        }
        await insertSession(db, practice, session)
        return { status: 201, data: session, record: { kind: 'session', id, version: 1 }, touched: [id, body.client_id] }
      },
    updateSession:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await getSession(db, practice, params.id)
        requireVersion(ifMatch, current)
        const next = changed({ ...current, ...named(body) }, now)
        const session = { ...next, ends_at: endOf(next) }
        await updateSession(db, practice, session)
        return { status: 200, data: session, touched: [params.id, session.client_id] }
      },
  }
}

/** @throws AppError `validation-failed` where it would end after the year 9999, which RFC 3339 cannot write */
function endOf({ starts_at, duration_minutes }: Pick<Session, 'starts_at' | 'duration_minutes'>): string {
  const end = new Date(Date.parse(starts_at) + duration_minutes * 60_000)
  if (end.getUTCFullYear() <= 9999) return end.toISOString()
  throw new AppError('validation-failed', undefined, [
    { pointer: '/starts_at', code: 'too_big', message: 'too far in the future' },
  ])
}
