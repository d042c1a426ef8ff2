import type { Settings } from '#contract/bridge/settings.ts'
import { AppError } from '#contract/errors.ts'
import type { NoteCheck } from '#contract/model/note.ts'
import { actualMinutes, payerChecks } from '#domain/payer-checks.ts'
import type { Session } from '#contract/model/session.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { NoteRepository } from './note-repository.ts'

interface Parts {
  readonly notes: NoteRepository
  readonly sessions: SessionRepository
  readonly clients: ClientRepository
  readonly settings: () => Settings
}

/** As many earlier notes as a reviewer lays beside one another. */
const compared = 5

export function checksForPayer(parts: Parts, sessionId: string): { minutes: number | null; checks: NoteCheck[] } {
  const session = parts.sessions.find(sessionId)
  const client = session === null ? null : parts.clients.find(session.client_id)
  if (session === null || client === null) throw new AppError('not-found')
  const note = parts.notes.ofSession(sessionId)
  const minutes = actualMinutes(session)
  if (note === null) return { minutes, checks: [] }
  const { therapist_credential } = parts.settings()
  const earlier = parts.notes
    .signedBefore(sessionId, compared)
    .map(({ note: other, starts_at }) => ({ note: other, day: dayOf(starts_at, session) }))
  return { minutes, checks: payerChecks({ note, session, client, therapist_credential, earlier }) }
}

function dayOf(at: string, { time_zone }: Session): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: time_zone }).format(
    new Date(at),
  )
}
