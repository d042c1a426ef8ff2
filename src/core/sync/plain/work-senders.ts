import { AppError } from '#contract/errors.ts'
import { analysisSchema } from '#contract/model/analysis.ts'
import { type Note, noteSchema } from '#contract/model/note.ts'
import { ownTemplateId } from '#contract/model/template.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { isSaidIn, placeAnalysis, placeIn, placeNote } from '#core/records/transcripts/place-quotes.ts'
import { contentHash } from '#core/records/content-hash.ts'
import type { PieceReader } from '#core/recordings/recording-audio.ts'
import { writePlainTranscript } from '#domain/plain-transcript.ts'
import type { SessionTranscript } from '#core/records/transcripts/transcript-repository.ts'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { LocalOnly } from '../capabilities/local-only.ts'
import type { Merge } from '../merge/merge.ts'
import { sendTemplate } from '../send-documents.ts'
import { recordedRequest, replayRequest } from '../recorded-request.ts'
import { dataOf, progress, type workSenders } from '../send-work.ts'
import { failedWith, type Sending, dataIn } from '#core/outbox/sending.ts'
import type { Step } from '../sync-loop.ts'
import { askAgainUntilDone, type Begun, withoutWhomIfUnknown } from './ask-again.ts'
import { createHeardPieces, transcribeInPieces } from './transcribe-in-pieces.ts'
import { existing } from '#core/records/change.ts'

export type PlainParts = Omit<Parameters<typeof workSenders>[0], 'audio'> & {
  readonly db: Sqlite
  readonly audio: PieceReader
  readonly capabilities: Capabilities
  readonly localOnly: LocalOnly
  readonly merge: Pick<Merge, 'keepCommon'>
}

/** For a service that lacks uploads, transcripts, or operations, or does not know the client or session. */
export function plainWorkSenders(parts: PlainParts) {
  const heardPieces = createHeardPieces(parts.db)
  const begun: Begun = new Map()
  return {
    transcribe: (sending: Sending<'transcribe'>) => transcribeInPieces({ ...parts, heardPieces, begun }, sending),
    async 'draft-note'(sending: Sending<'draft-note'>): Promise<Step> {
      progress(parts, sending, 0)
      const said = isFromData(sending) ? null : parts.transcripts.ofSession(sending.intent.subject_id)
      const answer = await askAgainUntilDone(begun, sending.options.idempotencyKey, () =>
        said === null ? draftFromData(parts, sending) : draftFromText(parts, sending, said),
      )
      if ('step' in answer) return answer.step
      const note = noteSchema.parse(answer.result)
      if (said === null) return { state: 'done', apply: () => parts.results.storeDraft(sending.intent, note) }
      return { state: 'done', apply: () => storePlaced(parts, sending.intent, note, said) }
    },
    async analyze(sending: Sending<'analyze'>): Promise<Step> {
      progress(parts, sending, 0)
      const said = parts.transcripts.ofSession(sending.intent.subject_id)
      if (said === null) throw new AppError('nothing-said')
      const answer = await askAgainUntilDone(begun, sending.options.idempotencyKey, () => analyzeText(parts, sending, said))
      if ('step' in answer) return answer.step
      const found = analysisSchema.parse(answer.result)
      const { client_id, subject_id: session_id } = sending.intent
      const analysis = { ...placeAnalysis(found, said, placeIn(said, writePlainTranscript(said))), client_id, session_id }
      return { state: 'done', apply: () => parts.results.storeInsights(sending.intent, analysis) }
    },
  }
}

/** True if the recorded request had no transcript. Its replay has none either, even if there is one now. */
function isFromData({ intent }: Sending<'draft-note'>): boolean {
  const asked = recordedRequest(intent)
  return asked?.is_plain === true && asked.operation === 'generateNoteFromData'
}

function storePlaced(
  { merge, results }: PlainParts,
  intent: Sending<'draft-note'>['intent'],
  note: Note,
  said: SessionTranscript,
): void {
  const { id, version, created_at } = note
  // If the service lists notes, it lists this one as it was drafted. Record that version as known.
  merge.keepCommon('note', id, { version, created_at, hash: contentHash(note) })
  results.storeDraft(intent, placeNote(note, placeIn(said, writePlainTranscript(said)), isSaidIn(said)), true)
}

async function draftFromText(parts: PlainParts, sending: Sending<'draft-note'>, said: SessionTranscript): Promise<unknown> {
  const { intent, client, options } = sending
  const { client_id, subject_id: session_id } = intent
  const { template, without_ai = false } = intent.body
  if (!parts.consentService.allows(session_id, 'draft')) throw new AppError('consent-missing')
  if (parts.localOnly.isUnknownToService(intent)) throw new AppError('client-not-there')
  await requireForm(parts, sending)
  const transcript = spoken(said)
  const now = { session_id, client_id, template, transcript, ...(without_ai ? { without_ai } : {}) }
  const { body } = replayRequest(parts, sending, { operation: 'generateNote', body: now }, true)
  try {
    return (await client.call('generateNote', { ...options, body })).data
  } catch (error) {
    throw failedWith(error, 'not-found') ? new AppError('client-not-there', undefined, [], { cause: error }) : error
  }
}

async function draftFromData(parts: PlainParts, sending: Sending<'draft-note'>): Promise<unknown> {
  const { intent } = sending
  const session = existing(parts.sessions.find(intent.subject_id))
  await requireForm(parts, sending)
  const now = { ...dataOf(session), template: intent.body.template, language: parts.language() }
  return askNaming(parts, sending, 'generateNoteFromData', now)
}

async function requireForm(
  { templates, merge, capabilities }: PlainParts,
  { intent, client, options }: Sending<'draft-note'>,
): Promise<void> {
  const own = ownTemplateId(intent.body.template)
  if (own === null) return
  const form = existing(templates.find(own))
  if (!(await capabilities.now(options.signal)).has('templates')) throw new AppError('template-not-offered')
  await sendTemplate({ templates, merge }, { client, id: form.id, signal: options.signal })
}

async function analyzeText(parts: PlainParts, sending: Sending<'analyze'>, said: SessionTranscript): Promise<unknown> {
  const { client_id, subject_id: session_id } = sending.intent
  if (!parts.consentService.allows(session_id, 'analyze')) throw new AppError('consent-missing')
  const now = { transcript: spoken(said), goals: parts.clients.find(client_id)?.goals ?? [] }
  return askNaming(parts, sending, 'analyze', now)
}

function askNaming(
  parts: PlainParts,
  sending: Sending<'draft-note' | 'analyze'>,
  operation: 'generateNoteFromData' | 'analyze',
  asked: object,
): Promise<unknown> {
  const { intent, client, options } = sending
  const { client_id, subject_id: session_id } = intent
  const known = parts.localOnly.isUnknownToService(intent) ? {} : { client_id, session_id }
  const { body } = replayRequest(parts, sending, { operation, body: { whom: known, asked } }, true)
  return withoutWhomIfUnknown(body.whom, (whom, suffix) => {
    const idempotencyKey = `${options.idempotencyKey}${suffix}`
    // The two operations have different bodies, which the caller has matched to the operation.
    return dataIn(client.call(operation, { ...options, idempotencyKey, body: { ...whom, ...body.asked } as never }))
  })
}

function spoken(said: SessionTranscript): string {
  const { text } = writePlainTranscript(said)
  if (text.trim() === '') throw new AppError('nothing-said')
  return text
}
