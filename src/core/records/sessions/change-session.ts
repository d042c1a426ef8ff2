import type { Session, SessionPatch, SessionDraft } from '#contract/model/session.ts'
import { type Change, changedFields, pick } from '#core/records/change.ts'
import type { SessionRepository } from './session-repository.ts'
import { AppError } from '#contract/errors.ts'

export function changeSession(sessions: SessionRepository, change: Change, before: Session, patch: SessionPatch): Session {
  const changed = changedFields(before, withInstants(patch))
  if (Object.keys(changed).length === 0) return before
  const next: Session = { ...before, ...changed, updated_at: change.at, version: before.version + 1 }
  const after = { ...next, ends_at: endOf(next) }
  sessions.update(after)
  change.audit({ action: 'session.changed', subject_id: after.id, client_id: after.client_id })
  const body = { patch: changed, base: pick(before, changed) }
  change.intend({ kind: 'update-session', client_id: after.client_id, session_id: after.id, subject_id: after.id, body })
  return after
}

export function markHeld(sessions: SessionRepository, change: Change, session: Session): void {
  const isPlanned = session.status === 'proposed' || session.status === 'scheduled'
  if (isPlanned && session.starts_at <= change.at) changeSession(sessions, change, session, { status: 'completed' })
}

export function bookSession(
  sessions: SessionRepository,
  { at, audit, intend }: Change,
  draft: SessionDraft & { id: string },
  series_id: string | null = null,
): Session {
  const { id, client_id, starts_at } = draft
  const times = { created_at: at, updated_at: at, version: 1, ends_at: endOf(draft), started_at: null, finished_at: null }
  const session: Session = { ...draft, ...times, series_id, occurrence_start: series_id && starts_at }
  refuseDoubleBooking(sessions, session)
  sessions.insert(session)
  audit({ action: 'session.created', subject_id: id, client_id })
  intend({ kind: 'create-session', client_id, session_id: id, subject_id: id, body: draft })
  return session
}

/** @throws AppError `double-booking`, with the id of the other session as its detail */
export function refuseDoubleBooking(sessions: SessionRepository, session: Session): void {
  if (!['proposed', 'scheduled', 'in_progress'].includes(session.status)) return
  const other = sessions.overlapping(session)
  if (other !== undefined) throw new AppError('double-booking', other.id)
}

export function endOf(session: { starts_at: string; duration_minutes: number }): string {
  return new Date(Date.parse(session.starts_at) + session.duration_minutes * 60_000).toISOString()
}

export const instant = (time: string): string => new Date(time).toISOString()

function withInstants(patch: SessionPatch): SessionPatch {
  const { starts_at, started_at, finished_at } = patch
  return {
    ...patch,
    ...(starts_at === undefined ? {} : { starts_at: instant(starts_at) }),
    ...(started_at == null ? {} : { started_at: instant(started_at) }),
    ...(finished_at == null ? {} : { finished_at: instant(finished_at) }),
  }
}
