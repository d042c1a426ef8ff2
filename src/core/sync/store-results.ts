import { isDeepStrictEqual as isEqual } from 'node:util'
import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { withWritten } from '#domain/note-sections.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { ownTemplateId } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { unknownVoices } from '#domain/speaker-roles.ts'
import type { Basis, Intent, StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { RecordKind } from '#core/records/change.ts'
import { requestDraft } from '#core/records/notes/note-handlers.ts'
import { agreedInsights } from '#core/records/consent/consent-service.ts'
import { applyFacts, nameSpeakers } from '#core/records/transcripts/speaker-facts.ts'
import { failed, idle, waiting, waitingFor, workKind, type WorkKind } from '#core/records/work/work-repository.ts'
import type { RecordParts, Repositories } from '#core/records/repositories.ts'
import type { Work } from '#contract/bridge/sessions.ts'

interface Parts extends Repositories, Pick<RecordParts, 'outbox' | 'audit' | 'emit'> {
  readonly settings: () => Pick<Settings, 'therapist_name' | 'transcribe_when_finished' | 'default_template'>
  readonly isPiece?: (transcriptId: string) => boolean
}

export type Results = ReturnType<typeof createResults>

export function createResults(parts: Parts) {
  const { sessions, transcripts, notes, insights, templates, work, outbox, consentService, audit, emit } = parts
  const end = (sessionId: string, kind: WorkKind, isKept: boolean, reason = 'conflict'): void => {
    work.set(sessionId, kind, isKept ? idle : failed(reason))
    emitLater(emit, kind)
    if (isKept) queueMicrotask(() => emit('work.finished', { kind }))
  }
  const refuse = (sessionId: string, kind: WorkKind): void => end(sessionId, kind, false, 'consent-missing')
  return {
    /** @param isThere false if the app joined this transcript from pieces, so the service does not have it yet */
    storeTranscript(intent: StoredIntent & Intent<'transcribe'>, result: Transcript, isThere = true): void {
      const session = sessions.find(intent.subject_id)
      if (session === null) return
      if (!consentService.allows(session.id, 'transcribe')) return refuse(session.id, 'transcribe')
      const before = transcripts.ofSession(session.id)
      const isPiece = before !== null && (parts.isPiece?.(before.id) ?? false)
      const isOfThen = before?.id === intent.body.base?.id || before?.id === result.id || isPiece
      const isUntouched = isOfThen && !(before?.segments.some((segment) => segment.edited) ?? false)
      if (isUntouched) keepTranscript(parts, intent, result, { session, isThere, version: (before?.version ?? 0) + 1 })
      end(session.id, 'transcribe', isUntouched)
      if (isUntouched) draftNext(parts, session)
    },
    /** @param isPlaced true if this app matched the quotes to its transcript, so the changed note must be pushed */
    storeDraft(intent: StoredIntent & Intent<'draft-note'>, result: Note, isPlaced = false): void {
      const { client_id, subject_id: session_id } = intent
      if (transcripts.idOf(session_id) !== null && !consentService.allows(session_id, 'draft')) return refuse(session_id, 'draft')
      const before = notes.ofSession(session_id)
      // A pull may have delivered this note already. Edits made since then are not overwritten.
      const isItself = before?.id === result.id
      if (isItself && !(isPlaced && before.version === result.version)) return end(session_id, 'draft', true)
      const isUntouched = (isItself || isSame(before, intent.body.base)) && (before === null || before.signature === null)
      if (isUntouched) {
        const version = (before?.version ?? 0) + 1
        const draft = before === null || isItself ? result : withWritten(result, before, templates.list())
        notes.replace({ ...draft, session_id, client_id, version }, result.version)
        notes.setSource(session_id, intent.body.said)
        audit.append({ action: 'note.drafted', subject_id: result.id, client_id })
        if (isPlaced || draft !== result) outbox.add({ kind: 'put-note', client_id, session_id, subject_id: result.id, body: {} })
      }
      end(session_id, 'draft', isUntouched)
    },
    storeInsights(intent: StoredIntent & Intent<'analyze'>, analysis: Analysis): void {
      const { client_id, subject_id: session_id, body } = intent
      if (!consentService.allows(session_id, 'analyze')) return refuse(session_id, 'analyze')
      insights.put(session_id, client_id, {
        analysis: agreedInsights(consentService, analysis),
        transcript_id: body.base.id,
        transcript_version: body.base.version,
      })
      audit.append({ action: 'insights.made', subject_id: analysis.id, client_id })
      end(session_id, 'analyze', true)
    },
    ...createNotices({ work, emit }),
  }
}

function createNotices({ work, emit }: Pick<Parts, 'work' | 'emit'>) {
  const set = (intent: StoredIntent, state: Work): void => {
    const kind = workKind(intent.kind)
    if (kind === null) return
    work.set(intent.subject_id, kind, state)
    emitLater(emit, kind)
  }
  return {
    recordFailure: (intent: StoredIntent, code: ErrorCode) =>
      set(intent, code === 'engine-not-ready' ? waitingFor(code) : failed(code)),
    recordWaiting: (intent: StoredIntent) => set(intent, waiting),
  }
}

export const recordsOf = { transcribe: 'transcripts', draft: 'notes', analyze: 'insights' } as const satisfies Record<
  WorkKind,
  RecordKind
>

function keepTranscript(
  { clients, settings, transcripts, speakerFacts, outbox, audit }: Parts,
  { body }: Intent<'transcribe'>,
  result: Transcript,
  { session, version, isThere }: { readonly session: Session; readonly version: number; readonly isThere: boolean },
): void {
  const { id: session_id, client_id, starts_at, participants } = session
  const client = clients.find(client_id)?.display_name ?? ''
  const named = nameSpeakers(result, { therapist: settings().therapist_name, client, participants })
  const corrected = applyFacts(named, speakerFacts.get(session_id, body.recording_id))
  transcripts.put({ ...corrected, session_id, version }, starts_at, isThere ? result.version : null)
  audit.append({ action: 'transcript.made', subject_id: result.id, client_id })
  if (corrected !== result || !isThere)
    outbox.add({ kind: 'put-transcript', client_id, session_id, subject_id: result.id, body: {} })
}

/** The draft follows its transcript if everyone agreed to it and each speaker is known. */
function draftNext(parts: Parts, session: Session): void {
  const { settings, transcripts, notes, work, outbox, consentService, audit, emit } = parts
  const { transcribe_when_finished, default_template: template } = settings()
  const transcript = transcripts.ofSession(session.id)
  if (!transcribe_when_finished || transcript === null || unknownVoices(transcript) > 0) return
  if (notes.ofSession(session.id) !== null || !isEqual(work.get(session.id, 'draft'), idle)) return
  if (!consentService.allows(session.id, 'draft')) return
  requestDraft(parts, { audit: (entry) => audit.append(entry), intend: (intent) => outbox.add(intent) }, session, { template })
  emitLater(emit, 'draft')
}

const isSame = (record: Basis, basis: Basis): boolean => record?.id === basis?.id && record?.version === basis?.version

function emitLater(emit: Emit, kind: WorkKind): void {
  queueMicrotask(() => emit('records.changed', { kinds: [recordsOf[kind], 'sessions', 'clients'] }))
}

export type FreedWork = ReturnType<typeof createFreedWork>

export function createFreedWork({ outbox, ...shown }: { outbox: Outbox } & Parameters<typeof createNotices>[0]) {
  const { recordWaiting } = createNotices(shown)
  return {
    consentGiven: () => outbox.retry(['consent-missing']).forEach(recordWaiting),
    formDecided: (id: string) => outbox.retry(['stale-version'], (intent) => isWrittenIn(intent, id)).forEach(recordWaiting),
  }
}

const isWrittenIn = (intent: StoredIntent, templateId: string): boolean =>
  intent.kind === 'draft-note' && ownTemplateId(intent.body.template) === templateId
