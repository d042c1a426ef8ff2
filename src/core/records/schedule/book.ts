import { newId } from '#base/ids.ts'
import type { Clock } from '#base/clock.ts'
import type { ScheduleBook } from '#contract/bridge/schedule.ts'
import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { Change, MakeChange } from '#core/records/change.ts'
import { changeSession, endOf, instant } from '../sessions/change-session.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'

export interface BookParts {
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly change: MakeChange
  readonly clock: Clock
  readonly therapistId: () => string
}

/**
 * Sessions and the moves that make room for them, all or none; each goes to the service like any other.
 *
 * @throws AppError `not-found`, `stale-version` where a session that moves was changed since, `double-booking`
 */
export function book(parts: BookParts, input: ScheduleBook): Session[] {
  const { clients, sessions, change } = parts
  if (clients.find(input.client_id) === null) throw new AppError('not-found')
  return change(['sessions', 'clients'], (writing) => {
    for (const move of inFreeOrder(sessions, input.moves)) moveOne(parts, writing, move)
    const series_id = input.starts.length === 1 ? null : newId(parts.clock)
    return input.starts.map((start) => insertOne(parts, writing, input, instant(start), series_id))
  })
}

type Move = ScheduleBook['moves'][number]

/** Whoever moves to where another still is comes after that one: the service hears of them in this order. */
function inFreeOrder(sessions: SessionRepository, moves: readonly Move[]): Move[] {
  const left = [...moves]
  const order: Move[] = []
  while (left.length > 0) {
    const next = left.findIndex((move) => left.every((other) => other === move || !meets(sessions, move, other)))
    if (next === -1) throw new AppError('conflict', 'These sessions would have to take each other’s places at the same time.')
    order.push(...left.splice(next, 1))
  }
  return order
}

function meets(sessions: SessionRepository, { session_id, starts_at }: Move, other: Move): boolean {
  const [moved, standing] = [existing(sessions, session_id), existing(sessions, other.session_id)]
  const start = instant(starts_at)
  return start < standing.ends_at && endOf({ ...moved, starts_at: start }) > standing.starts_at
}

function moveOne({ sessions, transcripts }: BookParts, writing: Change, { session_id, version, starts_at }: Move): void {
  const before = existing(sessions, session_id)
  if (before.version !== version || (before.status !== 'scheduled' && before.status !== 'proposed'))
    throw new AppError('stale-version')
  const after = changeSession(sessions, writing, before, { starts_at })
  if (sessions.overlaps(after)) throw new AppError('double-booking')
  transcripts.move(session_id, after.starts_at)
}

function insertOne(
  { sessions, clock, therapistId }: BookParts,
  { at, audit, intend }: Change,
  input: ScheduleBook,
  starts_at: string,
  series_id: string | null,
): Session {
  const id = newId(clock)
  const { client_id, session_type, duration_minutes, modality, time_zone, room_id } = input
  const draft = {
    id,
    client_id,
    session_type,
    starts_at,
    duration_minutes,
    modality,
    clinician_id: therapistId(),
    status: 'scheduled' as const,
    participants: [],
    time_zone,
    recurrence: null,
    room_id,
    cpt_code: null,
    presenting_concerns: [],
  }
  const times = { created_at: at, updated_at: at, version: 1, ends_at: endOf(draft), started_at: null, finished_at: null }
  const session: Session = { ...draft, ...times, series_id, occurrence_start: series_id && starts_at }
  if (sessions.overlaps(session)) throw new AppError('double-booking')
  sessions.insert(session)
  audit({ action: 'session.created', subject_id: id, client_id })
  intend({ kind: 'create-session', client_id, session_id: id, subject_id: id, body: draft })
  return session
}

function existing(sessions: SessionRepository, id: string): Session {
  const session = sessions.find(id)
  if (session === null) throw new AppError('not-found')
  return session
}
