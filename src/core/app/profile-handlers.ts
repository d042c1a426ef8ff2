import { clientHandlers } from '#core/records/clients/client-handlers.ts'
import { consentHandlers } from '#core/records/consent/consent-handlers.ts'
import type { Exports } from '#core/export/exports.ts'
import type { Dictations } from '#core/records/dictations/dictations.ts'
import { figureHandlers } from '#core/records/figures/figure-handlers.ts'
import { insightHandlers } from '#core/records/insights/insight-handlers.ts'
import { coverageHandlers } from '#core/records/insurance/coverage-handlers.ts'
import type { SpeechWatch } from '#core/records/models/model-handlers.ts'
import { noteHandlers } from '#core/records/notes/note-handlers.ts'
import { createKeptAnswers } from '#core/records/kept-answers.ts'
import type { RecordingRepository } from '#core/recordings/recording-repository.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import { recoveryHandlers } from '#core/vault/recovery-report.ts'
import { scheduleHandlers } from '#core/records/schedule/schedule-handlers.ts'
import { searchHandlers } from '#core/records/search/search.ts'
import { sessionHandlers } from '#core/records/sessions/session-handlers.ts'
import type { Offering } from '#core/sync/capabilities/open-offers.ts'
import { conflictHandlers, whoChangedHandlers } from '#core/sync/merge/conflict-handlers.ts'
import type { Merge } from '#core/sync/merge/merge.ts'
import type { Sync } from '#core/sync/sync.ts'
import { templateHandlers } from '#core/records/templates/template-handlers.ts'
import { transcriptHandlers, type TranscriptRequests } from '#core/records/transcripts/transcript-handlers.ts'
import { voiceHandlers } from '#core/records/voices/voice-handlers.ts'
import type { Records } from './profile-records.ts'

type Guards = Pick<Parameters<typeof consentHandlers>[0], 'stopUnconsented' | 'takeBackWork'>

interface Working {
  readonly guards: Guards
  readonly recordings: Recordings
  readonly dictations: Dictations
  readonly kept: RecordingRepository
  readonly requests: TranscriptRequests
  readonly speech: SpeechWatch
  readonly merge: Merge
  readonly abandon: Sync['abandon']
  readonly offers: Offering
  readonly exports: Exports
}

export function recordHandlers(records: Records, working: Working) {
  const { guards, recordings, dictations, kept, requests, speech, merge, abandon, offers, exports } = working
  const { client } = offers
  const keptAnswers = createKeptAnswers(records.db, records.clock)
  return {
    ...clientHandlers(records),
    ...consentHandlers({ ...records, ...guards }),
    ...sessionHandlers({ ...records, ...guards }),
    ...recordings.handlers,
    ...dictations.handlers,
    ...transcriptHandlers({ ...records, requests, recordingOf: (sessionId) => kept.ofSession(sessionId), ...speech }),
    ...templateHandlers(records),
    ...noteHandlers({ ...records, abandon, isAsked: (id) => merge.isAsked('note', id), isDictated: dictations.isWaiting }),
    ...insightHandlers({ ...records, abandon }),
    ...searchHandlers(records.db, records.clients),
    ...recoveryHandlers(records),
    ...conflictHandlers({
      ...records,
      resolving: merge.parts,
      eraseRecording: (recording_id) => Promise.resolve(recordings.handlers['recordings.erase']({ recording_id })),
    }),
    ...scheduleHandlers({ ...records, ...offers }),
    ...voiceHandlers({ ...records, client, kept, audio: recordings.audio }),
    ...figureHandlers({ ...records, client, keptAnswers, issue: exports.issue }),
    ...coverageHandlers({ ...records, ...offers, keptAnswers }),
    ...whoChangedHandlers({ ...records, conflicts: merge.parts.conflicts, client }),
    ...exports.handlers,
    ...offers.handlers,
  }
}
