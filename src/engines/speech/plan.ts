import { AppError } from '#contract/errors.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { DiarizerOptions } from './port.ts'
import { type InstalledModels, noSpeech, type RecognizerModel, SAMPLE_RATE, WAV_HEADER_BYTES, writeWavHeader } from './port.ts'

export type SpeakerModels = Pick<DiarizerOptions, 'segmentation' | 'embedding'>

export interface LocalWords {
  readonly kind: 'local'
  readonly model: RecognizerModel
  readonly vad: string
  readonly denoiser: string | null
  readonly language: string | null
}

export interface ServerWords {
  readonly kind: 'server'
  readonly settings: SpeechSettings
}

export interface SpeechPlan {
  readonly words: LocalWords | ServerWords
  readonly speakers: SpeakerModels | null
  readonly identity: readonly [engine: string, model: string | null]
}

const noModel =
  'No speech-to-text model is installed. Install one under “Transcription on this computer,” or enter the address of a speech server.'
const noDetector = 'The speech detection model isn’t installed. Install it under “Transcription on this computer.”'

/**
 * Uses a server only if the settings name one, even if a local model is missing.
 * @throws AppError `engine-not-ready` if no engine is set up or a required local model is missing
 */
export function planSpeech(settings: SpeechSettings | null, models: InstalledModels | null): SpeechPlan {
  if (settings?.engine === 'none') throw new AppError('engine-not-ready', noSpeech)
  const speakers = models === null ? null : speakerModels(models)
  if (settings !== null && settings.engine !== 'local')
    return { words: { kind: 'server', settings }, speakers, identity: [settings.address, settings.model] }
  const model = models?.speech() ?? null
  if (models === null || model === null) throw new AppError('engine-not-ready', settings === null ? noSpeech : noModel)
  const vad = models.vad()
  if (vad === null) throw new AppError('engine-not-ready', noDetector)
  const words: LocalWords = { kind: 'local', model, vad, denoiser: models.denoiser(), language: settings?.language ?? null }
  return { words, speakers, identity: ['local', model.name] }
}

export function speakerModels(models: InstalledModels): SpeakerModels | null {
  const segmentation = models.segmentation()
  const embedding = models.embedding()
  return segmentation === null || embedding === null ? null : { segmentation, embedding }
}

export interface Piece {
  readonly index: number
  readonly start_ms: number
  readonly duration_ms: number
  readonly wav: Uint8Array<ArrayBuffer>
  readonly isSilent: boolean
}

const FRAME_LENGTH = SAMPLE_RATE / 100
const USUAL_SECONDS = 300
const SEARCH_SHARE = 0.2
const BREATH_FRAMES = 30
/** The square of an amplitude of -60 dB of full scale. */
const SILENT_ENERGY = (32_768 * 0.001) ** 2

/** Cuts audio at quiet moments. The same audio gives the same cuts, so finished pieces can be reused after a restart. */
export async function* cutIntoPieces(sound: AsyncIterable<Float32Array>, seconds: number = USUAL_SECONDS): AsyncGenerator<Piece> {
  const limit = Math.floor(seconds * 100) * FRAME_LENGTH
  let filling = newFilling(limit)
  let index = 0
  let start = 0

  for await (const chunk of sound) {
    for (let at = 0; at < chunk.length;) {
      at += fill(filling, chunk, at)
      if (filling.length < limit) continue
      const length = quietestCut(filling)
      const next = newFilling(limit)
      fill(next, filling.samples.subarray(length, filling.length), 0)
      yield finished(filling, length)
      filling = next
    }
  }
  if (filling.length > 0) yield finished(filling, filling.length)

  function finished({ samples, energies }: Filling, length: number): Piece {
    const wav = new Uint8Array(samples.buffer, 0, WAV_HEADER_BYTES + length * 2)
    writeWavHeader(wav, length)
    const isSilent = energies
      .subarray(0, Math.ceil(length / FRAME_LENGTH))
      .every((energy) => energy / FRAME_LENGTH <= SILENT_ENERGY)
    const piece = { index, start_ms: toMs(start), duration_ms: toMs(start + length) - toMs(start), wav, isSilent }
    index += 1
    start += length
    return piece
  }
}

interface Filling {
  readonly samples: Int16Array<ArrayBuffer>
  readonly energies: Float64Array
  length: number
}

function newFilling(limit: number): Filling {
  const buffer = new ArrayBuffer(WAV_HEADER_BYTES + limit * 2)
  return {
    samples: new Int16Array(buffer, WAV_HEADER_BYTES),
    energies: new Float64Array(Math.ceil(limit / FRAME_LENGTH)),
    length: 0,
  }
}

function fill(filling: Filling, chunk: Float32Array | Int16Array, from: number): number {
  const { samples, energies } = filling
  const count = Math.min(chunk.length - from, samples.length - filling.length)
  const scale = chunk instanceof Int16Array ? 1 : 32_768
  for (let offset = 0; offset < count; offset += 1) {
    const at = filling.length + offset
    const sample = Math.max(-32_768, Math.min(32_767, Math.round(chunk[from + offset]! * scale)))
    samples[at] = sample
    energies[Math.floor(at / FRAME_LENGTH)]! += sample * sample
  }
  filling.length += count
  return count
}

function quietestCut({ energies }: Filling): number {
  const from = Math.floor(energies.length * (1 - SEARCH_SHARE))
  const breath = Math.min(BREATH_FRAMES, Math.max(1, energies.length - from))
  let sum = energies.subarray(from, from + breath).reduce((total, energy) => total + energy, 0)
  let best = { sum, frame: from }
  for (let frame = from + 1; frame + breath <= energies.length; frame += 1) {
    sum += energies[frame + breath - 1]! - energies[frame - 1]!
    if (sum < best.sum) best = { sum, frame }
  }
  return (best.frame + Math.floor(breath / 2)) * FRAME_LENGTH
}

const toMs = (samples: number): number => Math.round(samples / (SAMPLE_RATE / 1000))

export const samplesOf = ({ wav }: Pick<Piece, 'wav'>): Int16Array =>
  new Int16Array(wav.buffer, wav.byteOffset + WAV_HEADER_BYTES, (wav.byteLength - WAV_HEADER_BYTES) / 2)

export async function* ahead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const source = items[Symbol.asyncIterator]()
  const fetch = (): Promise<IteratorResult<Item>> => {
    const result = source.next()
    result.catch(() => {})
    return result
  }
  try {
    for (let next = fetch(); ;) {
      const { done, value } = await next
      if (done) return
      next = fetch()
      yield value
    }
  } finally {
    await source.return?.()
  }
}
