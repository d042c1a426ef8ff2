/** What the speech engine's process does: models are loaded once, then sound is heard piece by piece, in order. */
import { accessSync } from 'node:fs'
import sherpa from 'sherpa-onnx-node'
import { languageCode } from '../language-code.ts'
import { SAMPLE_RATE } from '../pcm.ts'
import type { Diarizer, DiarizerOptions, SpokenStretch } from '../speakers/diarizer-port.ts'
import type { FromEngine, ModelUse, OpenMessage, SpokenSegment, ToEngine } from './messages.ts'
import type { Recogniser } from './recogniser.ts'
import { loadRecogniser } from './recogniser.ts'
import type { SpeechDetector } from './speech-detector.ts'
import { loadSpeechDetector } from './speech-detector.ts'
import { cutLong, type Utterance } from './utterances.ts'
import { confidenceOf, plain, wordsOf } from './words.ts'

interface Ear {
  readonly recogniser: Recogniser | null
  readonly detector: SpeechDetector
  readonly clean: ((sound: Float32Array) => Float32Array) | null
  /** In samples: what is recognised in one go. */
  readonly longest: number
}

interface Loaded {
  readonly ear: Ear | null
  readonly diarizer: Diarizer | null
}

interface Piece {
  readonly index: number
  readonly wantWords: boolean
  readonly keep: boolean
  left: number
  language: string | null
  readonly segments: SpokenSegment[]
}

/** A pause that ends an utterance. Where words have no times, only pauses part one speaker from the next. */
const pauseSeconds = { withTimes: 0.5, withoutTimes: 0.25 }
const usualLongestSeconds = 24

/** Takes one message after the other; each is over before the next. */
export function createSpeechEngine(
  tell: (message: FromEngine) => void,
  createDiarizer: (options: DiarizerOptions) => Diarizer,
): (message: ToEngine) => Promise<void> {
  let loaded: Loaded | null = null
  let piece: Piece | null = null

  return async (message) => {
    if (message.kind === 'open') {
      loaded = load(message, tell, createDiarizer)
      return
    }
    if (loaded === null) throw new Error('not opened')
    if (message.kind === 'piece') piece = newPiece(message)
    else if (message.kind === 'finish') tell({ kind: 'speakers', ...diarized(loaded, message.spoken) })
    else if (piece !== null) await hear(loaded, piece, message.samples, tell)
  }
}

function load(
  { words, speakers, threads }: OpenMessage,
  tell: (message: FromEngine) => void,
  createDiarizer: (options: DiarizerOptions) => Diarizer,
): Loaded {
  const step = <Part>(model: ModelUse, part: () => Part): Part => {
    tell({ kind: 'loading', model })
    try {
      return part()
    } catch (error) {
      tell({ kind: 'failed', model })
      throw error
    }
  }
  const ear = words === null ? null : loadEar(words, threads, step)
  const diarizer = speakers === null ? null : step('speakers', () => createDiarizer(speakers))
  tell({ kind: 'ready', version: sherpa.version })
  return { ear, diarizer }
}

function loadEar(
  words: NonNullable<OpenMessage['words']>,
  threads: number,
  step: <Part>(model: ModelUse, part: () => Part) => Part,
): Loaded['ear'] {
  const { model, vad, denoiser } = words
  const recogniser = model === null ? null : step('words', () => loadRecogniser(model, words, threads))
  const pause = (recogniser?.tellsTimes ?? true) ? pauseSeconds.withTimes : pauseSeconds.withoutTimes
  const longestSeconds = recogniser?.longestSeconds ?? usualLongestSeconds
  const detector =
    vad === null ? everything() : step('speech-detection', () => loadSpeechDetector(vad, { pauseSeconds: pause, longestSeconds }))
  const clean = denoiser === null ? null : step('noise-reduction', () => loadDenoiser(denoiser, threads))
  return { recogniser, detector, clean, longest: longestSeconds * SAMPLE_RATE }
}

/** All sound is taken for speech: only where a recogniser is tried out by itself. */
function everything(): SpeechDetector {
  let heard = 0
  return {
    accept: (samples) => [{ start: (heard += samples.length) - samples.length, samples }],
    finish: () => {
      heard = 0
      return []
    },
  }
}

function loadDenoiser(model: string, numThreads: number): (sound: Float32Array) => Float32Array {
  accessSync(model)
  const denoiser = new sherpa.OfflineSpeechDenoiser({ model: { gtcrn: { model }, numThreads, provider: 'cpu', debug: 0 } })
  return (samples) => denoiser.run({ samples, sampleRate: SAMPLE_RATE, enableExternalBuffer: false }).samples
}

async function hear(
  { ear, diarizer }: Loaded,
  piece: Piece,
  samples: Float32Array,
  tell: (message: FromEngine) => void,
): Promise<void> {
  diarizer?.accept(samples)
  piece.left -= samples.length
  const isWanted = ear !== null && piece.wantWords
  if (isWanted) for (const utterance of ear.detector.accept(samples)) await recognise(ear, piece, utterance)
  tell({ kind: 'taken', samples: samples.length })
  if (piece.left > 0) return
  if (isWanted) for (const utterance of ear.detector.finish()) await recognise(ear, piece, utterance)
  const { index, segments, language } = piece
  tell({ kind: 'heard', index, segments, language, kept: piece.keep ? (diarizer?.keep() ?? null) : null })
}

async function recognise({ recogniser, clean, longest }: Ear, piece: Piece, whole: Utterance): Promise<void> {
  for (const { start, samples } of cutLong(whole, longest)) {
    const sound = clean === null ? samples : clean(samples)
    if (recogniser === null) continue
    const result = await recogniser.recognise(sound)
    const text = plain(result.text)
    if (text === '') continue
    piece.language ??= languageCode(result.lang.replaceAll(/[<>|]/g, '') || null)
    const start_ms = toMs(start)
    const length = toMs(samples.length)
    const words = wordsOf(result, length).map((word) => ({
      ...word,
      start_ms: start_ms + word.start_ms,
      end_ms: start_ms + word.end_ms,
    }))
    const confidence = confidenceOf(result.ys_log_probs)
    piece.segments.push({ text, start_ms, end_ms: start_ms + length, confidence, speaker: null, words })
  }
}

function newPiece({ index, samples, want_words, keep }: Extract<ToEngine, { kind: 'piece' }>): Piece {
  return { index, wantWords: want_words, keep, left: samples, language: null, segments: [] }
}

function diarized({ diarizer }: Loaded, spoken: SpokenStretch[] | null): Omit<Extract<FromEngine, { kind: 'speakers' }>, 'kind'> {
  if (diarizer === null) return { turns: [], voices: [] }
  const { turns, voices } = spoken === null ? diarizer.finish() : diarizer.finish(spoken)
  return { turns: [...turns], voices: [...voices] }
}

const toMs = (samples: number): number => Math.round(samples / (SAMPLE_RATE / 1000))
