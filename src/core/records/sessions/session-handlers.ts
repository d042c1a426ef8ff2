import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { TakeBackWork } from '../consent/take-back-work.ts'
import type { MakeChange } from '#core/records/change.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import { changeSession, endOf, instant } from './change-session.ts'
import type { SessionRepository } from './session-repository.ts'
import type { SessionRows } from './session-rows.ts'

interface Parts {
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly rows: SessionRows
  readonly change: MakeChange
  readonly clock: Clock
  readonly therapistId: () => string
  /** Somebody without consent may just have joined. */
  readonly stopUnconsented: (clientId: string) => Promise<void>
  readonly takeBackWork: TakeBackWork
}

type Names = 'sessions.list' | 'sessions.unfinished' | 'sessions.get' | 'sessions.create' | 'sessions.update'

export function sessionHandlers(parts: Parts): Handlers<Names> {
  const { clients, sessions, transcripts, rows, change, clock, therapistId, stopUnconsented, takeBackWork } = parts
  return {
    'sessions.list': ({ client_id, from, to }) => rows.list({ client_id, from: from && instant(from), to: to && instant(to) }),
    'sessions.unfinished': () => rows.unfinished(),
    'sessions.get'({ id }) {
      const row = rows.get(id)
      if (row === null) throw new AppError('not-found')
      return row
    },
    'sessions.create': (input) =>
      change(['sessions', 'clients'], ({ at, audit, intend }) => {
        if (clients.find(input.client_id) === null) throw new AppError('not-found')
        const id = newId(clock)
        const draft = { ...input, starts_at: instant(input.starts_at), clinician_id: therapistId(), id }
        const session: Session = {
          ...draft,
          ends_at: endOf(draft),
          started_at: null,
          finished_at: null,
          series_id: null,
          occurrence_start: null,
          created_at: at,
          updated_at: at,
          version: 1,
        }
        refuseDoubleBooking(sessions, session)
        sessions.insert(session)
        audit({ action: 'session.created', subject_id: id, client_id: input.client_id })
        intend({ kind: 'create-session', client_id: input.client_id, session_id: id, subject_id: id, body: draft })
        return session
      }),
    async 'sessions.update'({ id, version, patch }) {
      const session = change(['sessions', 'clients'], ({ at, audit, intend }) => {
        const before = sessions.find(id)
        if (before === null) throw new AppError('not-found')
        if (before.version !== version) throw new AppError('stale-version')
        const after = changeSession(sessions, { at, audit, intend }, before, patch)
        if (patch.starts_at !== undefined || patch.duration_minutes !== undefined || patch.status !== undefined) {
          refuseDoubleBooking(sessions, after)
        }
        if (after.starts_at !== before.starts_at) transcripts.move(id, after.starts_at)
        if (patch.participants !== undefined) takeBackWork(after.client_id)
        return after
      })
      if (patch.participants !== undefined) await stopUnconsented(session.client_id)
      return session
    },
  }
}

/** As the service would: told now, not by an outbox that is stuck. There is one therapist, who cannot be in two sessions. */
function refuseDoubleBooking(sessions: SessionRepository, session: Session): void {
  const isBooked = session.status === 'proposed' || session.status === 'scheduled' || session.status === 'in_progress'
  if (isBooked && sessions.overlaps(session)) throw new AppError('double-booking')
}
