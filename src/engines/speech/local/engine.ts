import { accessSync } from 'node:fs'
import sherpa, { type OfflineResult } from 'sherpa-onnx-node'
import { languageCode, SAMPLE_RATE } from '../port.ts'
import type { Diarized, Diarizer, DiarizerOptions, HeardWord, SpokenStretch } from '../port.ts'
import type { FromEngine, ModelUse, OpenMessage, SpokenSegment, ToEngine } from './messages.ts'
import { type Recogniser, loadRecogniser } from './recogniser.ts'
import { type SpeechDetector, loadSpeechDetector, cutLong, type Utterance } from './speech-detector.ts'

interface Ear {
  readonly recogniser: Recogniser | null
  readonly detector: SpeechDetector
  readonly clean: ((sound: Float32Array) => Float32Array) | null
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

/** Seconds of silence that end an utterance. Without word times, only pauses separate speakers, so shorter ones count. */
const pauseSeconds = { withTimes: 0.5, withoutTimes: 0.25 }
const USUAL_LONGEST_SECONDS = 24

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
  const longestSeconds = recogniser?.longestSeconds ?? USUAL_LONGEST_SECONDS
  const detector =
    vad === null ? everything() : step('speech-detection', () => loadSpeechDetector(vad, { pauseSeconds: pause, longestSeconds }))
  const clean = denoiser === null ? null : step('noise-reduction', () => loadDenoiser(denoiser, threads))
  return { recogniser, detector, clean, longest: longestSeconds * SAMPLE_RATE }
}

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

const diarized = ({ diarizer }: Loaded, spoken: readonly SpokenStretch[] | null): Diarized =>
  diarizer?.finish(spoken ?? undefined) ?? { turns: [], voices: [] }

const toMs = (samples: number): number => Math.round(samples / (SAMPLE_RATE / 1000))

type Tokens = Pick<OfflineResult, 'text' | 'tokens' | 'timestamps' | 'durations' | 'ys_log_probs'>

interface Group {
  text: string
  readonly from: number
  to: number
}

/** Estimated milliseconds per letter, for models that report when a token starts but not its duration. */
const MS_PER_LETTER = 90
const MIN_MS = 120
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export function wordsOf(result: Tokens, lengthMs: number): HeardWord[] {
  const { tokens, timestamps } = result
  if (tokens.length === 0 || timestamps.length !== tokens.length) return []
  const groups = grouped(tokens)
  // Prefer the words of the text, because tokens may be bytes or lack capitals.
  const written = plain(result.text).split(' ')
  const start = (group: Group): number => within(timestamps[group.from]! * 1000, 0, lengthMs)
  return groups.map((group, index) => {
    const next = groups[index + 1]
    const start_ms = start(group)
    const end_ms = within(endOf(group, result), start_ms, next === undefined ? lengthMs : Math.max(start_ms, start(next)))
    const text = written.length === groups.length ? written[index]! : group.text
    return { text, start_ms, end_ms, confidence: confidenceOf(result.ys_log_probs.slice(group.from, group.to)) }
  })
}

export function confidenceOf(logs: readonly number[]): number | null {
  if (logs.length === 0) return null
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  return Number.isFinite(mean) ? Math.round(Math.min(1, Math.exp(mean)) * 1000) / 1000 : null
}

function grouped(tokens: readonly string[]): Group[] {
  const groups: Group[] = []
  for (const [index, token] of tokens.entries()) {
    const text = token.replaceAll('▁', ' ')
    const last = groups.at(-1)
    if (last === undefined || /^\s/.test(text) || unspaced.test(text))
      groups.push({ text: text.trim(), from: index, to: index + 1 })
    else Object.assign(last, { text: last.text + text.trim(), to: index + 1 })
  }
  return groups.filter(({ text }) => text !== '')
}

function endOf({ text, from, to }: Group, { tokens, timestamps, durations }: Tokens): number {
  const last = to - 1
  if (durations.length === tokens.length) return (timestamps[last]! + durations[last]!) * 1000
  const letters = to - from === 1 ? text.length : tokens[last]!.trim().length
  return timestamps[last]! * 1000 + Math.max(MIN_MS, letters * MS_PER_LETTER)
}

const within = (value: number, least: number, most: number): number => Math.round(Math.min(most, Math.max(least, value)))
