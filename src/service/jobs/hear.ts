import type { EngineHost } from '#engines/engine-host.ts'
import type { Log } from '#base/log.ts'
import type { Engine } from '#contract/model/transcript.ts'
import type { Listening } from '#engines/speech/local/listening.ts'
import { EngineGone, startListening, engineError, createLevel, levelled } from '#engines/speech/local/listening.ts'
import { ahead, cutIntoPieces, type Piece, samplesOf, type SpeakerModels, type SpeechPlan } from '#engines/speech/plan.ts'
import type { Heard, SpeechPort, Diarized, EnrolledVoice, SpokenStretch } from '#engines/speech/port.ts'
import { AppError } from '#contract/errors.ts'
import { decode, kindOf } from '#engines/speech/audio-source.ts'
import { isDeepStrictEqual } from 'node:util'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { findPieces, keepPiece } from '../store/transcripts.ts'
import type { Database } from '../store/tables.ts'
import type { JobServices } from './run.ts'
import type { TranscribeTask } from './transcribe.ts'
import { findSent, findUpload, uploadContent } from '../store/uploads.ts'

export interface Part {
  readonly start_ms: number
  readonly duration_ms: number
  readonly heard: Heard
}

export interface Hearing {
  readonly parts: readonly Part[]
  readonly spoken: Diarized | null
  readonly engine: Engine
}

export type Wishes = Pick<TranscribeTask, 'language' | 'vocabulary' | 'with_speakers' | 'voices' | 'reduce_noise'>

interface HearingJob {
  readonly plan: SpeechPlan
  readonly wishes: Wishes
  readonly enrolled: readonly EnrolledVoice[]
  readonly host: EngineHost | null
  readonly server: SpeechPort | null
  readonly kept: KeptHearing
  readonly log: Log
  readonly signal: AbortSignal
  readonly pieceSeconds: number | undefined
  open(): ReturnType<typeof openSound>
  requireAgreed(): Promise<void>
  progress(share: number): Promise<void>
}

/** After this many engine crashes without progress, assume that the audio causes them. */
const MAX_DEATHS = 3
const KEEP_SPEAKERS_EVERY = 5
/** Seconds per piece. A crash of a local engine loses only the unfinished pieces; a server gets fewer, longer requests. */
const secondsOf = { local: 60, server: 300 }
/** Pieces in progress at once. A local engine gets the next piece before it finishes the current one. */
const mostUnderWay = { local: 2, server: 1 }

export async function hearAll(job: HearingJob): Promise<Hearing> {
  for (let deaths = 0; ;) {
    const before = job.kept.reached()
    try {
      return await hearOnce(job)
    } catch (error) {
      if (!(error instanceof EngineGone)) throw error
      deaths = job.kept.reached() > before ? 1 : deaths + 1
      job.log.warn('speech.engine-gone', { loading: error.loading, deaths })
      if (deaths >= MAX_DEATHS) throw engineError(error)
    }
  }
}

async function hearOnce(job: HearingJob): Promise<Hearing> {
  const { plan, signal } = job
  const source = await job.open()
  const starting = listen(job)
  starting.catch(() => {})
  const parts: Promise<Part>[] = []
  try {
    const level = createLevel()
    const pieces = shared(cutIntoPieces(source.sound, job.pieceSeconds ?? secondsOf[plan.words.kind]))
    for await (const { piece, share } of isHeardHere(job) ? ahead(pieces) : pieces) {
      signal.throwIfAborted()
      await job.requireAgreed()
      const samples = samplesOf(piece)
      const gain = level(samples)
      const part = hearPiece(job, await starting, piece, () => levelled(samples, gain)).then(async (heard) => {
        await job.progress(Math.min(0.99, share))
        return heard
      })
      part.catch(() => {})
      parts.push(part)
      await parts.at(-mostUnderWay[plan.words.kind])
    }
    const [listening, heard] = await Promise.all([starting, Promise.all(parts)])
    const spoken = listening === null || !tellsSpeakers(job) ? null : await listening.speakers(spokenIn(heard, plan))
    const engine = job.server?.engine ?? { name: 'sherpa-onnx', version: listening?.version ?? '', model: plan.identity[1] }
    return { parts: heard, spoken, engine }
  } finally {
    const listening = await starting.catch(() => null)
    listening?.close()
    await Promise.allSettled(parts)
  }

  async function* shared(pieces: AsyncIterable<Piece>): AsyncGenerator<{ piece: Piece; share: number }> {
    for await (const piece of pieces) yield { piece, share: source.share() }
  }
}

async function hearPiece(job: HearingJob, engine: Listening | null, piece: Piece, sound: () => Float32Array): Promise<Part> {
  const { plan, kept, server, wishes, signal } = job
  const { index, start_ms, duration_ms } = piece
  const known = kept.part(index)
  const wantWords = known === null && plan.words.kind === 'local'
  const wantSpeakers = tellsSpeakers(job) && !kept.knowsSpeakers(index)
  const keep = wantSpeakers && (index + 1) % KEEP_SPEAKERS_EVERY === 0
  const told = engine !== null && (wantWords || wantSpeakers) ? engine.hear({ index, samples: sound(), wantWords, keep }) : null
  told?.catch(() => {})
  const words = known === null && server !== null ? await hearByServer(server, piece, wishes, signal) : ((await told) ?? silence)
  const part = known ?? { start_ms, duration_ms, heard: { segments: words.segments, language: words.language } }
  if (known === null) await kept.keepPart(index, part)
  const state = (await told)?.kept ?? null
  if (state !== null) await kept.keepSpeakers(index + 1, state)
  return part
}

function spokenIn(parts: readonly Part[], { words }: SpeechPlan): SpokenStretch[] | null {
  if (words.kind === 'server') return null
  return parts.flatMap((part) =>
    part.heard.segments.map((said) => ({ start_ms: part.start_ms + said.start_ms, end_ms: part.start_ms + said.end_ms })),
  )
}

const silence: Heard = { segments: [], language: null }
const tellsSpeakers = ({ plan, wishes }: HearingJob): boolean => plan.speakers !== null && wishes.with_speakers

const isHeardHere = (job: HearingJob): boolean => job.host !== null && (job.plan.words.kind === 'local' || tellsSpeakers(job))

async function listen(job: HearingJob): Promise<Listening | null> {
  const { plan, wishes, host, enrolled, kept, signal } = job
  const { words } = plan
  if (host === null || !isHeardHere(job)) return null
  const ear =
    words.kind === 'server'
      ? null
      : {
          model: words.model,
          vad: words.vad,
          denoiser: wishes.reduce_noise ? words.denoiser : null,
          language: wishes.language ?? words.language,
          vocabulary: [...wishes.vocabulary],
        }
  const speakers = tellsSpeakers(job)
    ? { ...plan.speakers!, voices: wishes.voices, enrolled: [...enrolled], kept: await kept.speakers() }
    : null
  return startListening(host, { words: ear, speakers }, signal)
}

async function hearByServer(server: SpeechPort, piece: Piece, { language, vocabulary }: Wishes, signal: AbortSignal) {
  if (piece.isSilent) return silence
  return server.transcribe({ wav: piece.wav, duration_ms: piece.duration_ms, language, vocabulary }, signal)
}

const SPEAKERS_PLACE = -1

interface KeptSpeakers {
  readonly pieces: number
  readonly state: string
  readonly models: SpeakerModels
}

type KeptHearing = Awaited<ReturnType<typeof openKeptHearing>>

export async function openKeptHearing(
  db: Database,
  operation: Pick<OperationRow, 'id' | 'practice_id'>,
  isSame: boolean,
  models: SpeakerModels | null,
) {
  const pieces = (): Promise<ReadonlyMap<number, string>> =>
    inPractice(db, operation.practice_id, (read) => findPieces(read, operation.id))
  const found = isSame ? await pieces() : new Map<number, string>()
  const parts = new Map<number, Part>()
  for (const [index, answer] of found) if (index !== SPEAKERS_PLACE) parts.set(index, JSON.parse(answer) as Part)
  const before = readSpeakers(found)
  let told = before !== null && isDeepStrictEqual(before.models, models) ? before.pieces : 0
  return {
    part: (index: number) => parts.get(index) ?? null,
    knowsSpeakers: (index: number) => index < told,
    /** Not cached: the state of a long recording takes megabytes and is needed only when an engine starts. */
    speakers: async () => (told === 0 ? null : (readSpeakers(await pieces())?.state ?? null)),
    reached: () => parts.size + told,
    async keepPart(index: number, part: Part) {
      await keepPiece(db, operation, index, JSON.stringify(part))
      parts.set(index, part)
    },
    async keepSpeakers(heard: number, state: string) {
      if (models === null) return
      const kept: KeptSpeakers = { pieces: heard, state, models }
      await keepPiece(db, operation, SPEAKERS_PLACE, JSON.stringify(kept))
      told = heard
    },
  }
}

const readSpeakers = (found: ReadonlyMap<number, string>): KeptSpeakers | null =>
  JSON.parse(found.get(SPEAKERS_PLACE) ?? 'null') as KeptSpeakers | null

export async function openSound({ db, audio, blobs }: Pick<JobServices, 'db' | 'audio' | 'blobs'>, practice: string, id: string) {
  const { upload, held } = await inPractice(db, practice, async (read) => {
    const found = await findUpload(read, practice, id)
    if (found === null) throw new AppError('not-found', 'The audio is no longer there.')
    const sent = await findSent(read, practice, id)
    if (sent !== null) return { upload: found, held: 'sealed_key' in sent ? blobs.read(sent) : undefined }
    return {
      upload: found,
      held: found.recording_id === null ? inPieces(await uploadContent(read, id)) : audio?.read(found.recording_id),
    }
  })
  if (held === undefined) throw new AppError('not-found', 'The audio is no longer there.')
  let read = 0
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      read += chunk.length
      yield chunk
    }
  }
  const kind = kindOf(upload.media_type)
  // `sound` yields 16 kHz mono samples, decoded on demand.
  return { sound: decode(kind, counted(held)), share: () => read / Math.max(1, upload.bytes) }
}

async function* inPieces(bytes: Uint8Array | null): AsyncGenerator<Uint8Array> {
  for (let at = 0; bytes !== null && at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
