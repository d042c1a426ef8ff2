import type { Work } from '#contract/bridge/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { ConsentService } from '../consent/consent-service.ts'
import type { Change, MakeChange } from '#core/records/change.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { cancelled, failed, waiting, type WorkRepository } from '../work/work-repository.ts'
import type { TranscriptRepository } from './transcript-repository.ts'

export interface TranscriptRequests {
  request(sessionId: string): Work
  /** For use in an open transaction. */
  requestWithin(change: Pick<Change, 'audit' | 'intend'>, sessionId: string, recordingId: string): Work
  cancel(sessionId: string): Work
  /** Removes a request that is no longer needed. Call this in a transaction. */
  drop(sessionId: string): void
}

interface Parts {
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly work: WorkRepository
  readonly outbox: Outbox
  readonly consentService: ConsentService
  readonly change: MakeChange
  readonly clock: Clock
  readonly recordingOf: (sessionId: string) => Pick<Recording, 'id' | 'state'> | null
  readonly abandon: (intentId: string, operationId: string | null) => void
}

export function createTranscriptRequests(parts: Parts): TranscriptRequests {
  const { sessions, transcripts, work, outbox, consentService, change, clock } = parts

  function requestWithin({ audit, intend }: Pick<Change, 'audit' | 'intend'>, sessionId: string, recordingId: string): Work {
    const session = sessions.find(sessionId)
    if (session === null) throw new AppError('not-found')
    const pending = outbox.pendingWork(sessionId, 'transcribe')
    if (pending !== null && pending.state !== 'needs_you') return work.get(sessionId, 'transcribe')
    if (pending !== null) outbox.drop(pending.id)
    const before = transcripts.ofSession(sessionId)
    const next = answerTo(consentService.allows(sessionId, 'transcribe'), before)
    work.set(sessionId, 'transcribe', next)
    if (next !== waiting) return next
    audit({ action: 'transcript.asked', subject_id: sessionId, client_id: session.client_id })
    const base = before === null ? null : { id: before.id, version: before.version }
    const body = { recording_id: recordingId, upload_id: newId(clock), upload_key: newId(clock), base }
    intend({ kind: 'transcribe', client_id: session.client_id, session_id: sessionId, subject_id: sessionId, body })
    return next
  }

  function drop(sessionId: string): void {
    const pending = outbox.pendingWork(sessionId, 'transcribe')
    if (pending === null) return
    outbox.drop(pending.id)
    queueMicrotask(() => parts.abandon(pending.id, pending.operation_id))
  }

  return {
    requestWithin,
    drop,
    request(sessionId) {
      const recording = parts.recordingOf(sessionId)
      if (recording === null) throw new AppError('not-found')
      if (recording.state === 'erased') throw new AppError('gone')
      if (recording.state !== 'finished') throw new AppError('recording-active')
      return change(['transcripts', 'sessions'], (within) => requestWithin(within, sessionId, recording.id))
    },
    cancel(sessionId) {
      return change(['transcripts', 'sessions'], ({ audit }) => {
        work.set(sessionId, 'transcribe', cancelled)
        drop(sessionId)
        audit({ action: 'transcript.cancelled', subject_id: sessionId, client_id: sessions.find(sessionId)?.client_id ?? null })
        return cancelled
      })
    },
  }
}

/** An engine must not overwrite a transcript that has manual corrections. */
function answerTo(isAllowed: boolean, before: Transcript | null): Work {
  if (!isAllowed) return failed('consent-missing')
  return before?.segments.some((segment) => segment.edited) ? failed('conflict') : waiting
}
