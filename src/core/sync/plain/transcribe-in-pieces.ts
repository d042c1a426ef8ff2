import { AppError } from '#contract/errors.ts'
import { type Segment, type Speaker, type Transcript, transcriptSchema } from '#contract/model/transcript.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { dataIn, failedWith, type Sending } from '#core/outbox/sending.ts'
import type { AudioPiece } from '#core/recordings/audio-pieces.ts'
import type { Step } from '../sync-loop.ts'
import { replayPiece } from '../recorded-request.ts'
import { progress, recordHeld, transcriptionRequest } from '../send-work.ts'
import type { PlainParts } from './work-senders.ts'
import { askAgainUntilDone, type Begun, withoutWhomIfUnknown } from './ask-again.ts'

type Parts = PlainParts & { readonly heardPieces: HeardPieces; readonly begun: Begun }

interface Whom {
  readonly session_id: string | null
  /**
   * True if the service stores transcripts. Such a service would mistake a piece that names its session for the session's
   * transcript.
   */
  readonly isListed: boolean
}

const MAX_BYTES = 700 * 1024

/** Each call sends at most one piece of the audio and stores its transcript, so that a crash repeats only the current piece. */
export async function transcribeInPieces(parts: Parts, sending: Sending<'transcribe'>): Promise<Step> {
  const { audio, uploads, outbox, capabilities, localOnly, heardPieces } = parts
  const { intent, options } = sending
  const { session_id, ...now } = transcriptionRequest(parts, sending)
  const held = await uploads.held()
  if (held !== null) {
    recordHeld(parts, sending, held.code)
    return held
  }
  const isListed = (await capabilities.now(options.signal)).has('transcripts')
  const whom: Whom = { session_id: localOnly.isUnknownToService(intent) ? null : session_id, isListed }
  const plan = await audio.pieces(intent.body.recording_id, MAX_BYTES)
  if (plan.length === 0) throw new AppError('nothing-said')
  const heard = heardPieces.of(intent.id, plan)
  const next = plan.find(({ number }) => !heard.has(number))
  progress(parts, sending, heard.size / plan.length)
  outbox.progress(intent.id, heard.size / plan.length)
  if (next === undefined) return storeWhole(parts, sending, whom, plan, heard)
  const waitMs = uploads.waitMs()
  if (waitMs > 0) return { state: 'later', after_ms: waitMs, code: null }
  const idempotencyKey = `${options.idempotencyKey}.${next.number}`
  const answer = await askAgainUntilDone(parts.begun, idempotencyKey, () =>
    askFor(parts, sending, replayPiece(parts, sending, { piece: next.number, whom, asked: now }), { ...next, idempotencyKey }),
  )
  if ('step' in answer) return answer.step
  const transcript = transcriptSchema.parse(answer.result)
  heardPieces.keep(intent.id, next, transcript)
  const all = new Map(heard).set(next.number, transcript)
  if (all.size === plan.length) return storeWhole(parts, sending, whom, plan, all)
  return { state: 'later', after_ms: 0, code: null }
}

async function askFor(
  parts: Parts,
  { intent, client, options }: Sending<'transcribe'>,
  { asked, whom: { session_id, isListed } }: { readonly asked: object; readonly whom: Whom },
  piece: AudioPiece & { readonly idempotencyKey: string },
): Promise<unknown> {
  const bytes = await parts.audio.piece(intent.body.recording_id, piece)
  const content = bytes.toString('base64')
  bytes.fill(0)
  parts.uploads.take(content.length)
  const audio = { content, media_type: 'audio/ogg' }
  const ask = (whom: { session_id?: string }, suffix: string): Promise<unknown> => {
    const idempotencyKey = `${piece.idempotencyKey}${suffix}`
    return dataIn(client.call('transcribeWithSpeakers', { ...options, idempotencyKey, body: { ...asked, ...whom, audio } }))
  }
  if (session_id === null || !isListed) return withoutWhomIfUnknown(session_id === null ? {} : { session_id }, ask)
  return ask({}, '').catch((error: unknown) => {
    if (failedWith(error, 'consent-missing')) return ask({ session_id }, '.named')
    throw error
  })
}

function storeWhole(
  { clock, results }: Parts,
  { intent }: Sending<'transcribe'>,
  { session_id }: Whom,
  plan: readonly AudioPiece[],
  heard: ReadonlyMap<number, Transcript>,
): Step {
  const joined = joinPieces(plan.map((piece) => ({ ...piece, transcript: heard.get(piece.number)! })))
  const at = timestamp(clock)
  const whole = { ...joined, id: newId(clock), session_id, created_at: at, updated_at: at, version: 1 }
  return { state: 'done', apply: () => results.storeTranscript(intent, whole, false) }
}

type HeardPieces = ReturnType<typeof createHeardPieces>

type Row = Pick<AudioPiece, 'number' | 'start_ms' | 'end_ms'> & { readonly transcript: string }

export function createHeardPieces(db: Sqlite) {
  const all = db.prepare('select number, start_ms, end_ms, transcript from heard_pieces where intent_id = ?')
  const put = db.prepare(`
    insert or replace into heard_pieces (intent_id, number, start_ms, end_ms, transcript)
    select id, @number, @start_ms, @end_ms, @transcript from outbox where id = @intent_id`)
  const putId = db.prepare('insert or ignore into piece_transcripts (id) values (?)')
  const isPiece = db.prepare('select 1 from piece_transcripts where id = ?')
  const keepBoth = db.transaction((row: object, id: string) => {
    put.run(row)
    putId.run(id)
  })
  return {
    of(intentId: string, plan: readonly AudioPiece[]): ReadonlyMap<number, Transcript> {
      const rows = all.all(intentId) as Row[]
      // Later damage to the recording can change the pieces, so use only the transcripts of pieces with the same times.
      const same = rows.filter(
        ({ number, start_ms, end_ms }) => plan[number]?.start_ms === start_ms && plan[number].end_ms === end_ms,
      )
      return new Map(same.map(({ number, transcript }) => [number, transcriptSchema.parse(JSON.parse(transcript))]))
    },
    keep: (intent_id: string, { number, start_ms, end_ms }: AudioPiece, transcript: Transcript) =>
      keepBoth({ intent_id, number, start_ms, end_ms, transcript: JSON.stringify(transcript) }, transcript.id),
    isPiece: (id: string) => isPiece.get(id) !== undefined,
  }
}

export type HeardPiece = Pick<AudioPiece, 'start_ms' | 'end_ms'> & { readonly transcript: Transcript }

export type Joined = Pick<Transcript, 'language' | 'duration_ms' | 'speakers' | 'segments' | 'engine'>

const MAX_SPEAKERS = 40
/** Matches labels that an engine numbered within one piece. In another piece, the same label may mean another speaker. */
const numbered = /^\W*(?:speaker|spk|sprecher|voice|person|unknown)?[\s_-]*(?:\d+|[a-z])?\W*$/i

/**
 * Times in the result count from the start of the recording. Speakers are matched across pieces by role and label, if these
 * identify one speaker.
 */
export function joinPieces(pieces: readonly HeardPiece[]): Joined {
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  for (const [number, { start_ms, end_ms, transcript }] of pieces.entries()) {
    const length = end_ms - start_ms
    const ids = speakersOf(transcript, pieces.length === 1 ? null : number, speakers)
    for (const segment of transcript.segments) {
      const id = `s${segments.length + 1}`
      const speaker_id = segment.speaker_id === null ? null : (ids.get(segment.speaker_id) ?? null)
      segments.push({ ...onWholeClock(segment, start_ms, length), id, speaker_id, ...voiceOf(segment, number) })
    }
  }
  const transcripts = pieces.map(({ transcript }) => transcript)
  return {
    language: transcripts.map(({ language }) => language).find((language) => language !== null) ?? null,
    duration_ms: pieces.at(-1)?.end_ms ?? 0,
    speakers: [...speakers.values()],
    segments,
    engine: transcripts[0]?.engine ?? { name: 'unknown', version: '', model: null },
  }
}

function speakersOf({ speakers }: Transcript, piece: number | null, known: Map<string, Speaker>): Map<string, string> {
  const ids = new Map<string, string>()
  for (const speaker of speakers) {
    const key = isTold(speaker, speakers) ? `${speaker.role} ${speaker.label}` : `${piece} ${speaker.id}`
    if (!known.has(key) && known.size >= MAX_SPEAKERS) continue
    const label = piece === null || isTold(speaker, speakers) ? speaker.label : inPart(speaker.label, piece)
    const whole = known.get(key) ?? { id: `p${known.size + 1}`, label, role: speaker.role }
    known.set(key, whole)
    ids.set(speaker.id, whole.id)
  }
  return ids
}

function isTold({ role, label }: Speaker, speakers: readonly Speaker[]): boolean {
  if (role === 'unknown' && numbered.test(label)) return false
  return speakers.filter((other) => other.role === role && other.label === label).length === 1
}

const inPart = (label: string, piece: number): string => `${label.slice(0, 180)} (part ${piece + 1})`

function onWholeClock(segment: Segment, start_ms: number, length: number): Segment {
  const at = (ms: number): number => start_ms + Math.min(ms, length)
  const { words, ...rest } = segment
  return {
    ...rest,
    start_ms: segment.start_ms === null ? null : at(segment.start_ms),
    end_ms: segment.end_ms === null ? null : at(segment.end_ms),
    ...(words === undefined
      ? {}
      : { words: words.map((word) => ({ ...word, start_ms: at(word.start_ms), end_ms: at(word.end_ms) })) }),
  }
}

const voiceOf = ({ voice }: Segment, piece: number) =>
  voice === undefined ? {} : { voice: `${piece + 1} ${voice}`.slice(0, 64) }
