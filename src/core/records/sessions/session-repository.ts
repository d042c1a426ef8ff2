import type { Cancellation, SessionBilling } from '#contract/bridge/sessions.ts'
import type { Session } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { jsonRows, serviceVersions } from '#core/records/rows.ts'

export type SessionRepository = ReturnType<typeof createSessionRepository>

const { toRow, fromRow } = jsonRows<Session>(['participants', 'recurrence', 'presenting_concerns'])
const fields = `id, client_id, session_type, starts_at, duration_minutes, modality, clinician_id, status, participants, time_zone,
  recurrence, room_id, cpt_code, presenting_concerns, ends_at, started_at, finished_at, series_id, occurrence_start, created_at,
  updated_at, version`
export const sessionColumns = fields.split(/,\s+/)

/**
 * SQL condition: the session was not deleted, or something was recorded or written for it since, for example on another laptop.
 * The row of a deleted session stays, because services have no call that deletes a session.
 */
export const isShown = `(
  sessions.cancellation ->> 'is_deleted' is not 1
  or exists (select 1 from recordings where recordings.session_id = sessions.id and recordings.state <> 'erased')
  or exists (select 1 from transcripts where transcripts.session_id = sessions.id)
  or exists (select 1 from notes where notes.session_id = sessions.id))`

/** SQL condition on `sessions` joined with `notes`: at `@now`, the session is over and has no signed note. */
export const owesNote = `(
  sessions.status not in ('cancelled', 'no_show')
  and iif(notes.id is null, sessions.status = 'completed' or sessions.ends_at <= @now, notes.status in ('draft', 'in_review', 'returned'))
  and not exists (select 1 from recordings where recordings.session_id = sessions.id and recordings.state in ('recording', 'paused')))`

const noBilling: SessionBilling = { place_of_service: null, modifier: null, add_on_code: null }

export const billingOf = (json: unknown): SessionBilling =>
  (json == null ? noBilling : JSON.parse(json as string)) as SessionBilling

export function createSessionRepository(db: Sqlite) {
  const find = db.prepare(`select ${fields} from sessions where id = ?`)
  const insert = db.prepare(`insert into sessions (${fields}) values (${sessionColumns.map((name) => `@${name}`).join(', ')})`)
  const changing = sessionColumns.filter((name) => !['id', 'client_id', 'created_at'].includes(name))
  // Any other status ends the cancellation, wherever the change came from.
  const changes = [
    ...changing.map((name) => `${name} = @${name}`),
    `cancellation = iif(@status = 'cancelled', cancellation, null)`,
  ]
  const update = db.prepare(`update sessions set ${changes.join(', ')} where id = @id`)
  const cancel = db.prepare('update sessions set cancellation = ? where id = ?')
  const billing = db.prepare('select billing from sessions where id = ?').pluck()
  const setBilling = db.prepare('update sessions set billing = ? where id = ?')
  const overlapping = db.prepare(`
    select id from sessions
    where id <> @id and status in ('proposed', 'scheduled', 'in_progress') and starts_at < @ends_at and ends_at > @starts_at
    order by starts_at limit 1`)
  return {
    find: (id: string) => fromRow(find.get(id)),
    insert: (session: Session): void => void insert.run(toRow(session)),
    update: (session: Session): void => void update.run(toRow(session)),
    cancel: (id: string, cancellation: Cancellation): void => void cancel.run(JSON.stringify(cancellation), id),
    billing: (id: string): SessionBilling => billingOf(billing.get(id)),
    setBilling: (id: string, next: SessionBilling): void => void setBilling.run(JSON.stringify(next), id),
    /** Another booked session at that time. */
    overlapping: ({ id, starts_at, ends_at }: Pick<Session, 'id' | 'starts_at' | 'ends_at'>) =>
      overlapping.get({ id, starts_at, ends_at }) as { readonly id: string } | undefined,
    ...serviceVersions(db, 'sessions'),
  }
}

export const sessionFromRow = (row: object): Session => fromRow(row)!
