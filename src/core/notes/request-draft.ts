import type { Work } from '#contract/bridge/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { Template } from '#contract/model/note.ts'
import type { Gatekeeper } from '#core/consent/gatekeeper.ts'
import type { MakeChange } from '#core/records/change.ts'
import type { SessionRepository } from '#core/sessions/session-repository.ts'
import type { Outbox } from '#core/sync/outbox.ts'
import type { TranscriptRepository } from '#core/transcripts/transcript-repository.ts'
import { failed, waiting, type WorkRepository } from '#core/work/work-repository.ts'
import type { NoteRepository } from './note-repository.ts'

export type RequestDraft = (input: { session_id: string; template: Template }) => Work

interface Parts {
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
  readonly work: WorkRepository
  readonly outbox: Outbox
  readonly gatekeeper: Gatekeeper
  readonly change: MakeChange
}

/** Asking twice asks once; asking again after a failure tries again. */
export function createRequestDraft(parts: Parts): RequestDraft {
  const { sessions, transcripts, notes, work, outbox, gatekeeper, change } = parts
  return ({ session_id, template }) =>
    change(['notes', 'sessions'], ({ audit, intend }) => {
      const session = sessions.find(session_id)
      if (session === null) throw new AppError('not-found')
      const note = notes.ofSession(session_id)
      if (note !== null && note.signature !== null) throw new AppError('already-signed')
      const pending = outbox.pendingWork(session_id, 'draft-note')
      if (pending !== null && pending.state !== 'needs_you') return work.get(session_id, 'draft')
      if (pending !== null) outbox.remove(pending.id)

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
      intend({ kind: 'draft-note', ...about, body: { template, base } })
      return waiting
    })
}
