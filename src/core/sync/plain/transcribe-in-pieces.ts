import { AppError } from '#contract/errors.ts'
import { type Transcript, transcriptSchema } from '#contract/model/transcript.ts'
import type { RouteBodyInput } from '#contract/rest/routes.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { AudioPiece } from '#core/recordings/audio-pieces.ts'
import type { PieceReader } from '#core/recordings/recording-audio.ts'
import { joinPieces } from '#core/transcripts/join-pieces.ts'
import type { Sending } from '../sending.ts'
import type { Step } from '../sync-loop.ts'
import type { UploadGate } from '../upload-gate.ts'
import { askAgainUntilDone, withoutWhomIfUnknown } from './ask-again.ts'
import type { HeardPieces } from './heard-pieces.ts'

interface Parts {
  readonly audio: PieceReader
  readonly heardPieces: HeardPieces
  readonly uploads: Pick<UploadGate, 'waitMs' | 'take'>
  readonly clock: Clock
}

interface Asked {
  /** All but the sound. */
  readonly body: Omit<RouteBodyInput<'transcribeWithSpeakers'>, 'audio'>
  readonly onProgress: (share: number) => void
  /** The transcript of the whole, which the service does not have. */
  readonly store: (transcript: Transcript) => Step
}

/** What a service takes along with a request (API.md section 4). */
const mostBytes = 700 * 1024

/**
 * For a service that takes no uploads: the sound goes along in pieces, one at each turn, and what was heard in each is
 * kept here until all are done. Cut off anywhere, the piece at hand alone is sent again, under the same key.
 */
export async function transcribeInPieces(parts: Parts, sending: Sending<'transcribe'>, asked: Asked): Promise<Step> {
  const { intent } = sending
  const plan = await parts.audio.pieces(intent.body.recording_id, mostBytes)
  if (plan.length === 0) throw new AppError('nothing-said')
  const heard = parts.heardPieces.of(intent.id, plan)
  const next = plan.find(({ number }) => !heard.has(number))
  asked.onProgress(heard.size / plan.length)
  if (next === undefined) return asked.store(whole(parts.clock, asked, plan, heard))
  const waitMs = parts.uploads.waitMs()
  if (waitMs > 0) return { state: 'later', after_ms: waitMs, code: null }
  const answer = await askAgainUntilDone(() => askFor(parts, sending, asked, next))
  if ('step' in answer) return answer.step
  const transcript = transcriptSchema.parse(answer.result)
  parts.heardPieces.keep(intent.id, next, transcript)
  const all = new Map(heard).set(next.number, transcript)
  if (all.size === plan.length) return asked.store(whole(parts.clock, asked, plan, all))
  return { state: 'later', after_ms: 0, code: null }
}

async function askFor(
  parts: Parts,
  { intent, client, options }: Sending<'transcribe'>,
  { body }: Asked,
  piece: AudioPiece,
): Promise<unknown> {
  const bytes = await parts.audio.piece(intent.body.recording_id, piece)
  const content = bytes.toString('base64')
  bytes.fill(0)
  parts.uploads.take(content.length)
  const { session_id, ...heard } = body
  const audio = { content, media_type: 'audio/ogg' }
  return withoutWhomIfUnknown(session_id === undefined ? {} : { session_id }, async (whom, suffix) => {
    const idempotencyKey = `${options.idempotencyKey}.${piece.number}${suffix}`
    return (await client.call('transcribeWithSpeakers', { ...options, idempotencyKey, body: { ...heard, ...whom, audio } })).data
  })
}

function whole(clock: Clock, { body }: Asked, plan: readonly AudioPiece[], heard: ReadonlyMap<number, Transcript>): Transcript {
  const joined = joinPieces(plan.map((piece) => ({ ...piece, transcript: heard.get(piece.number)! })))
  const at = timestamp(clock)
  return { ...joined, id: newId(clock), session_id: body.session_id ?? null, created_at: at, updated_at: at, version: 1 }
}
