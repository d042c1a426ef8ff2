import type { Work } from '#contract/bridge/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { Template } from '#contract/model/template.ts'
import type { Gatekeeper } from '../consent/gatekeeper.ts'
import type { MakeChange } from '#core/records/change.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import { cancelled, failed, waiting, type WorkRepository } from '../work/work-repository.ts'
import type { NoteRepository } from './note-repository.ts'

export interface DraftRequests {
  request(input: { session_id: string; template: Template; without_ai: boolean }): Work
  cancel(sessionId: string): Work
}

interface Parts {
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
  readonly work: WorkRepository
  readonly outbox: Outbox
  readonly gatekeeper: Gatekeeper
  readonly change: MakeChange
  /** Stops what is under way for an intent that was just taken out. */
  readonly abandon: (intentId: string, operationId: string | null) => void
}

export function createDraftRequests(parts: Parts): DraftRequests {
  const { sessions, transcripts, notes, work, outbox, gatekeeper, change } = parts
  const drop = (sessionId: string): void => {
    const pending = outbox.pendingWork(sessionId, 'draft-note')
    if (pending === null) return
    outbox.drop(pending.id)
    queueMicrotask(() => parts.abandon(pending.id, pending.operation_id))
  }
  return {
    /** Asking twice asks once; asking again after a failure, or for another writer, begins anew. */
    request: ({ session_id, template, without_ai }) =>
      change(['notes', 'sessions'], ({ audit, intend }) => {
        const session = sessions.find(session_id)
        if (session === null) throw new AppError('not-found')
        const note = notes.ofSession(session_id)
        if (note !== null && note.signature !== null) throw new AppError('already-signed')
        const pending = outbox.pendingWork(session_id, 'draft-note')
        const isSame = pending?.kind === 'draft-note' && (pending.body.without_ai ?? false) === without_ai
        if (pending !== null && pending.state !== 'needs_you' && isSame) return work.get(session_id, 'draft')
        drop(session_id)

        const isFromTranscript = transcripts.idOf(session_id) !== null || outbox.pendingWork(session_id, 'transcribe') !== null
        if (isFromTranscript && !gatekeeper.allows(session_id, 'draft')) {
          const refused = failed('consent-missing')
          work.set(session_id, 'draft', refused)
          return refused
        }
        work.set(session_id, 'draft', waiting)
        audit({ action: 'note.asked', subject_id: session_id, client_id: session.client_id })
        const base = note === null ? null : { id: note.id, version: note.version }
        const about = { client_id: session.client_id, session_id, subject_id: session_id }
        intend({ kind: 'draft-note', ...about, body: { template, base, ...(without_ai ? { without_ai } : {}) } })
        return waiting
      }),
    cancel: (sessionId) =>
      change(['notes', 'sessions'], ({ audit }) => {
        work.set(sessionId, 'draft', cancelled)
        drop(sessionId)
        audit({ action: 'note.cancelled', subject_id: sessionId, client_id: sessions.find(sessionId)?.client_id ?? null })
        return cancelled
      }),
  }
}
