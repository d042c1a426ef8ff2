import { AppError } from '#contract/errors.ts'
import { type Transcript, transcriptSchema } from '#contract/model/transcript.ts'
import type { RouteBodyInput } from '#contract/rest/routes.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { AudioPiece } from '#core/recordings/audio-pieces.ts'
import type { PieceReader } from '#core/recordings/recording-audio.ts'
import { joinPieces } from '#core/records/transcripts/join-pieces.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'
import type { Step } from '../sync-loop.ts'
import type { UploadGate } from '../upload-gate.ts'
import { askAgainUntilDone, type Begun, withoutWhomIfUnknown } from './ask-again.ts'
import type { HeardPieces } from './heard-pieces.ts'

interface Parts {
  readonly audio: PieceReader
  readonly heardPieces: HeardPieces
  readonly begun: Begun
  readonly uploads: Pick<UploadGate, 'waitMs' | 'take'>
  readonly clock: Clock
}

interface PieceAsked {
  readonly piece: number
  readonly whom: {
    readonly session_id: string | null
    /**
     * True if the service stores transcripts. It would mistake a piece that names its session for the session's
     * transcript.
     */
    readonly isListed: boolean
  }
  readonly asked: Omit<RouteBodyInput<'transcribeWithSpeakers'>, 'audio' | 'session_id'>
}

interface Asked {
  readonly session_id: string | null
  /** Stable for a piece, even if the service's capabilities change. */
  readonly ofPiece: (piece: number) => PieceAsked
  readonly onProgress: (share: number) => void
  readonly store: (transcript: Transcript) => Step
}

/** Limit for the audio inside one request, in bytes. */
const MAX_BYTES = 700 * 1024

/**
 * For services without uploads: sends one piece per turn. After a crash only the current piece is sent again, under the
 * same key.
 */
export async function transcribeInPieces(parts: Parts, sending: Sending<'transcribe'>, asked: Asked): Promise<Step> {
  const { intent } = sending
  const plan = await parts.audio.pieces(intent.body.recording_id, MAX_BYTES)
  if (plan.length === 0) throw new AppError('nothing-said')
  const heard = parts.heardPieces.of(intent.id, plan)
  const next = plan.find(({ number }) => !heard.has(number))
  asked.onProgress(heard.size / plan.length)
  if (next === undefined) return storeWhole(parts.clock, asked, plan, heard)
  const waitMs = parts.uploads.waitMs()
  if (waitMs > 0) return { state: 'later', after_ms: waitMs, code: null }
  const idempotencyKey = `${sending.options.idempotencyKey}.${next.number}`
  const answer = await askAgainUntilDone(parts.begun, idempotencyKey, () =>
    askFor(parts, sending, asked.ofPiece(next.number), { ...next, idempotencyKey }),
  )
  if ('step' in answer) return answer.step
  const transcript = transcriptSchema.parse(answer.result)
  parts.heardPieces.keep(intent.id, next, transcript)
  const all = new Map(heard).set(next.number, transcript)
  if (all.size === plan.length) return storeWhole(parts.clock, asked, plan, all)
  return { state: 'later', after_ms: 0, code: null }
}

async function askFor(
  parts: Parts,
  { intent, client, options }: Sending<'transcribe'>,
  { asked, whom: { session_id, isListed } }: PieceAsked,
  piece: AudioPiece & { readonly idempotencyKey: string },
): Promise<unknown> {
  const bytes = await parts.audio.piece(intent.body.recording_id, piece)
  const content = bytes.toString('base64')
  bytes.fill(0)
  parts.uploads.take(content.length)
  const audio = { content, media_type: 'audio/ogg' }
  const ask = async (whom: { session_id?: string }, suffix: string): Promise<unknown> => {
    const idempotencyKey = `${piece.idempotencyKey}${suffix}`
    return (await client.call('transcribeWithSpeakers', { ...options, idempotencyKey, body: { ...asked, ...whom, audio } })).data
  }
  if (session_id === null || !isListed) return withoutWhomIfUnknown(session_id === null ? {} : { session_id }, ask)
  return ask({}, '').catch((error: unknown) => {
    if (failedWith(error, 'consent-missing')) return ask({ session_id }, '.named')
    throw error
  })
}

function storeWhole(
  clock: Clock,
  { session_id, store }: Asked,
  plan: readonly AudioPiece[],
  heard: ReadonlyMap<number, Transcript>,
): Step {
  const joined = joinPieces(plan.map((piece) => ({ ...piece, transcript: heard.get(piece.number)! })))
  const at = timestamp(clock)
  return store({ ...joined, id: newId(clock), session_id, created_at: at, updated_at: at, version: 1 })
}
