import { type ErrorCode, AppError, isErrorCode } from '#contract/errors.ts'
import { analysisSchema } from '#contract/model/analysis.ts'
import type { Client } from '#contract/model/client.ts'
import { noteSchema } from '#contract/model/note.ts'
import { type Operation, operationSchema } from '#contract/model/operation.ts'
import { ownTemplateId } from '#contract/model/template.ts'
import type { Session } from '#contract/model/session.ts'
import type { RouteBodyInput } from '#contract/rest/routes.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import { workKind } from '#core/records/work/work-repository.ts'
import { findExpiredResult, findResult, recordedRequest, replayRequest } from './recorded-request.ts'
import type { Asked, WorkIntent } from '#core/outbox/intents.ts'
import { audioSender, type UploadGate } from './send-audio.ts'
import type { Merge } from './merge/merge.ts'
import { sendTemplate } from './send-documents.ts'
import { failedWith, orNull, type Sending } from '#core/outbox/sending.ts'
import { recordsOf, type Results } from './store-results.ts'
import type { Step } from './sync-loop.ts'
import type { RecordParts, Repositories } from '#core/records/repositories.ts'
import { existing } from '#core/records/change.ts'

interface Parts extends Repositories, Pick<RecordParts, 'outbox' | 'clock' | 'emit'> {
  readonly audio: RecordingAudio
  readonly uploads: UploadGate
  readonly merge: Pick<Merge, 'refused' | 'keepCommon' | 'isAsked'>
  readonly results: Results
  readonly language: () => string
  readonly reduceNoise: () => boolean
}

export function workSenders(parts: Parts) {
  const sendAudio = audioSender(parts)
  return {
    async transcribe(sending: Sending<'transcribe'>): Promise<Step> {
      const store = (result: unknown): Step => {
        const transcript = transcriptSchema.parse(result)
        return { state: 'done', apply: () => parts.results.storeTranscript(sending.intent, transcript) }
      }
      if (sending.intent.operation_id !== null) return follow(parts, sending, store, () => Promise.resolve(null))
      // Check consent (in `transcriptionRequest`) before any audio is sent.
      const asked = transcriptionRequest(parts, sending)
      const hear = (audio: { upload_id: string }): Promise<Step> =>
        follow(parts, sending, store, () => askOnce(parts, sending, 'transcribeWithSpeakers', { audio, ...asked }))
      const { intent } = sending
      if (recordedRequest(intent)?.is_plain === false) return replayOrRestart(parts, sending, () => hear(intent.body))
      const sent = await sendAudio(sending)
      if (typeof sent !== 'string') {
        recordHeld(parts, sending, sent.code)
        return sent
      }
      return hear({ upload_id: sent })
    },
    async 'draft-note'(sending: Sending<'draft-note'>): Promise<Step> {
      const store = (result: unknown): Step => {
        const note = noteSchema.parse(result)
        return { state: 'done', apply: () => parts.results.storeDraft(sending.intent, note) }
      }
      return follow(parts, sending, store, async () => (await findExpiredResult(parts, sending)) ?? askForDraft(parts, sending))
    },
    async analyze(sending: Sending<'analyze'>): Promise<Step> {
      const store = (result: unknown): Step => {
        const analysis = analysisSchema.parse(result)
        return { state: 'done', apply: () => parts.results.storeInsights(sending.intent, analysis) }
      }
      return follow(parts, sending, store, () => askForAnalysis(parts, sending))
    },
  }
}

async function follow<Kind extends WorkIntent>(
  parts: Parts,
  sending: Sending<Kind>,
  store: (result: unknown) => Step,
  ask: () => Promise<unknown>,
): Promise<Step> {
  const { operation_id: known } = sending.intent
  if (known === null) {
    progress(parts, sending, 0)
    const answer = await ask().catch((error: unknown) => {
      // The service has another request under this key, which can't be replayed. Look for that request's result instead.
      if (failedWith(error, 'idempotency-mismatch')) return findResult(sending)
      throw error
    })
    if (answer === null) return { state: 'failed', code: 'engine-failed' }
    const operation = operationSchema.safeParse(answer)
    return operation.success ? stepOf(parts, sending, operation.data, store) : store(answer)
  }
  const { options, client } = sending
  const operation = await orNull(client.call('getOperation', { params: { id: known }, signal: options.signal }))
  return operation === null ? { state: 'failed', code: 'engine-failed' } : stepOf(parts, sending, operation.data, store)
}

function stepOf(parts: Parts, sending: Sending<WorkIntent>, operation: Operation, store: (result: unknown) => Step): Step {
  switch (operation.status) {
    case 'queued':
    case 'running':
      progress(parts, sending, operation.progress)
      return { state: 'polling', operation_id: operation.id }
    case 'succeeded':
      return store(operation.result)
    case 'failed':
      return { state: 'failed', code: codeOf(operation) }
    case 'cancelled':
      return { state: 'failed', code: 'cancelled' }
  }
}

function codeOf(operation: Operation): ErrorCode {
  const code = operation.problem?.code
  return isErrorCode(code) ? code : 'engine-failed'
}

type Shown = Pick<Parts, 'work' | 'outbox' | 'emit'>

export function progress({ work, outbox, emit }: Shown, { intent }: Sending<WorkIntent>, value: number): void {
  // The intent was removed while the request was in flight, so don't change the state shown.
  if (outbox.find(intent.id) === null) return
  const kind = workKind(intent.kind)!
  const session_id = intent.subject_id
  const before = work.get(session_id, kind)
  if (before.state === 'running' && before.progress === value) return
  work.set(session_id, kind, { state: 'running', progress: value, error: null })
  emit('work.progress', { session_id, kind, progress: value })
  if (before.state !== 'running') emit('records.changed', { kinds: [recordsOf[kind], 'sessions'] })
}

export function recordHeld({ work, outbox, emit }: Shown, { intent }: Sending<'transcribe'>, code: ErrorCode | null): void {
  if (outbox.find(intent.id) === null) return
  const before = work.get(intent.subject_id, 'transcribe')
  if (before.state === 'waiting' && before.error === code) return
  work.set(intent.subject_id, 'transcribe', { state: 'waiting', progress: 0, error: code })
  emit('records.changed', { kinds: [recordsOf.transcribe, 'sessions'] })
}

/**
 * Replays without uploading, because the service may have deleted the audio after transcribing it. If the service refuses the
 * replay because it lacks the audio or the request, starts over under a new key.
 */
async function replayOrRestart({ outbox }: Parts, { intent }: Sending<'transcribe'>, hear: () => Promise<Step>): Promise<Step> {
  try {
    return await hear()
  } catch (error) {
    if (!failedWith(error, 'not-found', 'gone', 'conflict')) throw error
    outbox.renew(intent.id)
    return { state: 'later', after_ms: 0, code: null }
  }
}

type Hearing = Pick<Parts, 'clients' | 'sessions' | 'consentService' | 'language' | 'reduceNoise'>

export function transcriptionRequest(parts: Hearing, { intent }: Sending<'transcribe'>) {
  const { clients, sessions, consentService, language, reduceNoise } = parts
  const session_id = intent.subject_id
  const session = existing(sessions.find(session_id))
  if (!consentService.allows(session_id, 'transcribe')) throw new AppError('consent-missing')
  const others = Math.max(1, session.participants.length)
  const speakers = { min: 1, max: others + 1 }
  const vocabulary = expectedWords(clients.find(session.client_id), session)
  return { session_id, language: language(), speakers, vocabulary, reduce_noise: reduceNoise() }
}

const MAX_WORDS = 500

function expectedWords(client: Client | null, { participants }: Session): string[] {
  const names = [client?.display_name, client?.given_name, ...participants.map(({ name }) => name)]
  const words = [...names, ...(client?.vocabulary ?? [])].filter((word) => typeof word === 'string' && word !== '')
  return [...new Set(words as string[])].slice(0, MAX_WORDS)
}

async function askOnce<Id extends Asked['operation']>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  operation: Id,
  body: RouteBodyInput<Id>,
): Promise<unknown> {
  const { client, options } = sending
  const asked = replayRequest(parts, sending, { operation, body })
  const preferAsync = asked.operation !== 'generateNoteFromData'
  return (await client.call<Asked['operation']>(asked.operation, { ...options, preferAsync, body: asked.body as never })).data
}

async function askForAnalysis(parts: Parts, sending: Sending<'analyze'>): Promise<unknown> {
  const { clients, transcripts, consentService } = parts
  const { client_id, subject_id: session_id } = sending.intent
  if (!consentService.allows(session_id, 'analyze')) throw new AppError('consent-missing')
  const transcript_id = transcripts.idOf(session_id)
  if (transcript_id === null) throw new AppError('nothing-said')
  const body = { session_id, client_id, transcript_id, goals: clients.find(client_id)?.goals ?? [] }
  return askOnce(parts, sending, 'analyze', body)
}

async function askForDraft(parts: Parts, sending: Sending<'draft-note'>): Promise<unknown> {
  const { sessions, transcripts, templates, consentService, language } = parts
  const { intent, client, options } = sending
  const { client_id, subject_id: session_id } = intent
  const { template, without_ai = false } = intent.body
  const before = recordedRequest(intent)
  // Replay without checks: no transcript was used, and the note may be written already.
  if (before?.is_plain === false && before.operation === 'generateNoteFromData')
    return askOnce(parts, sending, before.operation, before.body as RouteBodyInput<'generateNoteFromData'>)
  const session = existing(sessions.find(session_id))
  const own = ownTemplateId(template)
  const form = own === null ? null : templates.find(own)
  if (own !== null && form === null) throw new AppError('not-found')
  if (form !== null) await sendTemplate(parts, { client, id: form.id, signal: options.signal }).catch(unlessRecorded(before))
  const transcriptId = transcripts.idOf(session_id)
  if (transcriptId !== null) {
    if (!consentService.allows(session_id, 'draft')) throw new AppError('consent-missing')
    const body = { session_id, client_id, template, transcript_id: transcriptId, ...(without_ai ? { without_ai } : {}) }
    return askOnce(parts, sending, 'generateNote', body)
  }
  const body = { ...dataOf(session), template, client_id, session_id, language: language() }
  return askOnce(parts, sending, 'generateNoteFromData', body)
}

/**
 * If the request was recorded, the template was pushed before. That is enough for a service that no longer accepts templates.
 */
const unlessRecorded =
  (before: Asked | null) =>
  (error: unknown): void => {
    if (before === null || !failedWith(error, 'not-offered')) throw error
  }

export function dataOf({ session_type, duration_minutes, presenting_concerns: all }: Session) {
  const presenting_concerns = all.filter((concern) => concern !== '')
  return { session_type, duration_minutes, presenting_concerns, interventions: [], client_response: '' }
}
