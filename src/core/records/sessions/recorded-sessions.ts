import type { Recording } from '#contract/model/recording.ts'
import type { Session } from '#contract/model/session.ts'
import { timestamp } from '#base/clock.ts'
import type { Change } from '#core/records/change.ts'
import type { TranscriptRequests } from '../transcripts/transcript-handlers.ts'
import { waitingForSpeech } from '../work/work-repository.ts'
import { changeSession, instant } from './change-session.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Parts = RecordParts & { readonly requests: TranscriptRequests; readonly isSpeechReady: () => boolean }

export type RecordedSessions = ReturnType<typeof createRecordedSessions>

export function createRecordedSessions(parts: Parts) {
  const { sessions, notes, transcripts, audit, outbox, clock, emit, consentService, requests, settings, work, isSpeechReady } =
    parts
  const change = (): Change => ({
    at: timestamp(clock),
    audit: (entry) => audit.append(entry),
    intend: (intent) => outbox.add(intent),
  })
  /**
   * True if a recording that was cut off must not change the session's times: the session is completed, ended after the
   * recording began, or has a signed note.
   */
  const isSettled = ({ id, status, finished_at }: Session, { started_at }: Recording): boolean =>
    status === 'completed' ||
    (finished_at !== null && instant(finished_at) > instant(started_at)) ||
    notes.ofSession(id)?.signature != null
  const emitLater = (): void => queueMicrotask(() => emit('records.changed', { kinds: ['sessions', 'clients', 'transcripts'] }))

  return {
    onStarted(recording: Recording): void {
      const session = sessions.find(recording.session_id)
      if (session === null) return
      changeSession(sessions, change(), session, {
        status: 'in_progress',
        started_at: session.started_at ?? recording.started_at,
      })
      emitLater()
    },
    onFinished(recording: Recording, wasCutOff: boolean): void {
      const session = sessions.find(recording.session_id)
      if (session === null) return
      const within = change()
      const { finished_at } = recording
      const started_at = session.started_at ?? recording.started_at
      const times = wasCutOff && isSettled(session, recording) ? {} : { started_at, finished_at }
      changeSession(sessions, within, session, { status: 'completed', ...times })
      const isTranscribed = wasCutOff && transcripts.ofSession(session.id) !== null
      const isWanted = settings().transcribe_when_finished && !isTranscribed
      if (isWanted && consentService.allows(session.id, 'transcribe')) {
        if (isSpeechReady()) requests.requestWithin(within, session.id, recording.id)
        else if (!wasCutOff && settings().speech_engine !== 'none') work.set(session.id, 'transcribe', waitingForSpeech)
      }
      emitLater()
    },
  }
}
