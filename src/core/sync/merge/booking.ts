import { localTimeIn } from '#base/locale.ts'
import { type ServiceClient, SlotTaken } from '#client/client.ts'
import type { Session } from '#contract/model/session.ts'
import { failedWith, knownClinicians } from '#core/outbox/sending.ts'
import type { ConflictRepository, ConflictBodies } from './conflict-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends Pick<RecordParts, 'db' | 'sessions' | 'audit' | 'clock'> {
  readonly conflicts: ConflictRepository
  readonly onConflict: () => void
}

interface Asking {
  readonly session_id: string
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

export type BookingRefused = (error: unknown, asking: Asking) => Promise<never>

const DAY_MS = 24 * 60 * 60 * 1000

export function createBookingRefused({ db, sessions, conflicts, audit, clock, onConflict }: Parts): BookingRefused {
  return async (error, asking) => {
    const session = sessions.find(asking.session_id)
    if (session === null || !failedWith(error, 'double-booking')) throw error
    const body = await offerFor(error, session, asking, clock.now())
    const { id, client_id } = session
    db.transaction(() => {
      if (conflicts.open('session', id) === null) audit.append({ action: 'conflict.found', subject_id: id, client_id })
      conflicts.found({ kind: 'booking', record_kind: 'session', record_id: id, client_id, session_id: id, body })
    }).immediate()
    onConflict()
    throw error
  }
}

async function offerFor(
  refusal: unknown,
  session: Session,
  { client, signal }: Asking,
  now: number,
): Promise<ConflictBodies['booking']> {
  if (refusal instanceof SlotTaken) return { reasons: refusal.conflicts, proposals: refusal.proposals }
  const from = Math.max(Date.parse(session.starts_at) - 3 * DAY_MS, now)
  const window = { from: localTimeIn(from, session.time_zone), to: localTimeIn(from + 14 * DAY_MS, session.time_zone) }
  const request = {
    client_ids: [session.client_id],
    ...(session.clinician_id === null ? {} : { clinician_id: session.clinician_id }),
    type: session.session_type,
    duration_minutes: session.duration_minutes,
    modality: session.modality,
    tzid: session.time_zone,
    start: localTimeIn(session.starts_at, session.time_zone),
  }
  try {
    const propose = (asked: typeof request) =>
      client.call('schedule', { body: { mode: 'propose', request: asked, window }, signal })
    const { data } = await knownClinicians()(request, propose)
    return { reasons: data.conflicts, proposals: data.proposals }
  } catch {
    return { reasons: [], proposals: [] }
  }
}
