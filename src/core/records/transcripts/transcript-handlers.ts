import type { Handlers, MethodRequest } from '#contract/bridge/methods.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { Session } from '#contract/model/session.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { newId } from '#base/ids.ts'
import { existing, type Change } from '#core/records/change.ts'
import { markHeld } from '../sessions/change-session.ts'
import { cancelled, failed, idle, waiting } from '../work/work-repository.ts'
import { importTranscript } from './import/import-transcript.ts'
import { factsAfter } from './speaker-facts.ts'
import type { SessionTranscript } from './transcript-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends RecordParts {
  readonly recordingOf: (sessionId: string) => { readonly id: string } | null
  readonly requests: TranscriptRequests
  readonly isSpeechReady: () => boolean
}

type Names = 'transcripts.get' | 'transcripts.request' | 'transcripts.cancel' | 'transcripts.import' | 'transcripts.save'

const typedEngine = { name: 'person', version: '1', model: null }
const importEngine = { name: 'import', version: '1', model: null }

export function transcriptHandlers(parts: Parts): Handlers<Names> {
  const { transcripts, work, requests, isSpeechReady } = parts
  return {
    'transcripts.get': ({ session_id }) => ({
      transcript: transcripts.ofSession(session_id),
      work: work.get(session_id, 'transcribe'),
      speech_ready: isSpeechReady(),
    }),
    'transcripts.request': ({ session_id }) => requests.request(session_id),
    'transcripts.cancel': ({ session_id }) => requests.cancel(session_id),
    'transcripts.import': (input) => importFile(parts, input),
    'transcripts.save': (input) => save(parts, input),
  }
}

function importFile(parts: Parts, input: MethodRequest<'transcripts.import'>): SessionTranscript {
  const session = existing(parts.sessions.find(input.session_id))
  const client = existing(parts.clients.find(session.client_id))
  const people = { therapist: parts.settings().therapist_name, client, participants: session.participants }
  const imported = importTranscript(input.file_name, input.content, people)
  return parts.change(['transcripts', 'sessions'], (change) => {
    const before = parts.transcripts.ofSession(session.id)
    const body = { session_id: session.id, language: parts.settings().language, ...imported, engine: importEngine }
    const times = { created_at: change.at, updated_at: change.at }
    const transcript = { ...body, ...times, id: newId(parts.clock), version: (before?.version ?? 0) + 1 }
    return store(parts, change, { transcript, session, action: 'transcript.imported', serviceVersion: null })
  })
}

function save(parts: Parts, input: MethodRequest<'transcripts.save'>): SessionTranscript {
  const session = existing(parts.sessions.find(input.session_id))
  return parts.change(['transcripts', 'sessions'], (change) => {
    const before = parts.transcripts.ofSession(session.id)
    if ((before?.version ?? null) !== input.version) throw new AppError('stale-version')
    checkSegments(input)
    const segments = markEdited(before?.segments ?? [], input.segments)
    const kept = before ?? {
      id: newId(parts.clock),
      session_id: session.id,
      language: parts.settings().language,
      duration_ms: null,
      engine: typedEngine,
      created_at: change.at,
    }
    const transcript = { ...kept, speakers: input.speakers, segments, updated_at: change.at, version: (before?.version ?? 0) + 1 }
    if (before !== null) keepFacts(parts, before, transcript)
    const serviceVersion = parts.transcripts.serviceVersion(transcript.id)
    return store(parts, change, { transcript, session, action: 'transcript.changed', serviceVersion })
  })
}

interface Storing {
  readonly transcript: SessionTranscript
  readonly session: Session
  readonly action: string
  readonly serviceVersion: number | null
}

function store(parts: Parts, change: Change, { transcript, session, action, serviceVersion }: Storing): SessionTranscript {
  parts.transcripts.put(transcript, session.starts_at, serviceVersion)
  parts.requests.drop(session.id)
  parts.work.set(session.id, 'transcribe', idle)
  change.audit({ action, subject_id: transcript.id, client_id: session.client_id })
  const about = { client_id: session.client_id, session_id: session.id, subject_id: transcript.id }
  change.intend({ kind: 'put-transcript', ...about, body: {} })
  markHeld(parts.sessions, change, session)
  return transcript
}

function keepFacts({ speakerFacts, recordingOf }: Parts, before: SessionTranscript, after: SessionTranscript): void {
  const recording = recordingOf(after.session_id)
  const isTyped = [typedEngine.name, importEngine.name].includes(before.engine.name)
  if (recording === null || isTyped) return
  speakerFacts.put(after.session_id, recording.id, factsAfter(speakerFacts.get(after.session_id, recording.id), before, after))
}

/** Marks segments as edited if they are new or their text changed. Later changes keep the mark. */
function markEdited(before: readonly Segment[], after: readonly Segment[]): Segment[] {
  const known = new Map(before.map((segment) => [segment.id, segment]))
  return after.map((segment) => {
    const old = known.get(segment.id)
    const isEdited = segment.edited || old === undefined || old.edited || old.text !== segment.text
    const { words, ...rest } = segment
    return words !== undefined && old?.text === segment.text
      ? { ...rest, words, edited: isEdited }
      : { ...rest, edited: isEdited }
  })
}

function checkSegments(input: MethodRequest<'transcripts.save'>): void {
  const ids = new Set(input.segments.map((segment) => segment.id))
  const speakers = new Set(input.speakers.map((speaker) => speaker.id))
  const isWhole =
    ids.size === input.segments.length &&
    speakers.size === input.speakers.length &&
    input.segments.every((segment) => segment.speaker_id === null || speakers.has(segment.speaker_id))
  if (!isWhole)
    throw new AppError(
      'validation-failed',
      'Segments and speakers need ids of their own, and each segment a speaker from the list.',
    )
}

export type TranscriptRequests = ReturnType<typeof createTranscriptRequests>

interface RequestParts extends RecordParts {
  readonly recordingOf: (sessionId: string) => Pick<Recording, 'id' | 'state'> | null
  readonly abandon: (intentId: string, operationId: string | null) => void
}

export function createTranscriptRequests(parts: RequestParts) {
  const { sessions, transcripts, work, outbox, consentService, change, clock } = parts

  function requestWithin({ audit, intend }: Pick<Change, 'audit' | 'intend'>, sessionId: string, recordingId: string): Work {
    const session = existing(sessions.find(sessionId))
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
    /** Requests the transcripts that have waited for a speech engine since their recordings ended. */
    startWaiting(isSpeechReady: boolean): void {
      const waiting = isSpeechReady ? work.waitForSpeech() : []
      for (const sessionId of waiting.filter((id) => outbox.pendingWork(id, 'transcribe') === null))
        change(['transcripts', 'sessions'], (within) => {
          const recording = parts.recordingOf(sessionId)
          const isNeeded = recording?.state === 'finished' && transcripts.idOf(sessionId) === null
          if (isNeeded) requestWithin(within, sessionId, recording.id)
          else work.set(sessionId, 'transcribe', idle)
        })
    },
    request(sessionId: string): Work {
      const recording = existing(parts.recordingOf(sessionId))
      if (recording.state === 'erased') throw new AppError('gone')
      if (recording.state !== 'finished') throw new AppError('recording-active')
      return change(['transcripts', 'sessions'], (within) => requestWithin(within, sessionId, recording.id))
    },
    cancel(sessionId: string): Work {
      return change(['transcripts', 'sessions'], ({ audit }) => {
        work.set(sessionId, 'transcribe', cancelled)
        drop(sessionId)
        audit({ action: 'transcript.cancelled', subject_id: sessionId, client_id: sessions.find(sessionId)?.client_id ?? null })
        return cancelled
      })
    },
  }
}

/** An engine must not overwrite a transcript that has manually edited segments. */
function answerTo(isAllowed: boolean, before: Transcript | null): Work {
  if (!isAllowed) return failed('consent-missing')
  return before?.segments.some((segment) => segment.edited) ? failed('conflict') : waiting
}
