import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE } from '../port.ts'
import type { Diarized, Diarizer, DiarizerOptions, EnrolledVoice, FoundVoice, SpokenStretch, VoiceTurn } from '../port.ts'
import type { SpeakerModels } from '../plan.ts'
import { onlySpoken, placeVoices } from './place.ts'
import { tellApart, keptText, readKept, type Stretch, stretchOf, dot, unit } from './cluster-voices.ts'

const WINDOW_SAMPLES = 120 * SAMPLE_RATE
const OVERLAP_SAMPLES = 10 * SAMPLE_RATE
const MIN_MS = 200
const ENROLLED_LIKENESS = 0.6
const ENROLLED_LEAD = 0.1

const msOf = (samples: number): number => samples / (SAMPLE_RATE / 1000)

export function createDiarizer(options: DiarizerOptions): Diarizer {
  const hear = createWindowEar(options, options.voices ?? 2)
  const kept = options.kept == null ? { heard_samples: 0, loudest: 0, stretches: [] } : readKept(options.kept)
  const stretches: Stretch[] = [...kept.stretches]
  let { loudest } = kept
  const buffer = new Float32Array(WINDOW_SAMPLES)
  let filled = 0
  let position = kept.heard_samples
  let told = 0

  const hearWindow = (isLast: boolean): void => {
    const window = buffer.subarray(0, filled)
    loudest = Math.max(loudest, peakOf(window))
    const repeated = isLast ? 0 : OVERLAP_SAMPLES
    const from = msOf(position + told)
    const to = msOf(position + filled - repeated / 2)
    for (const stretch of hear(window, msOf(position), loudest)) {
      const start_ms = Math.max(from, stretch.start_ms)
      const end_ms = Math.min(to, stretch.end_ms)
      if (end_ms - start_ms >= MIN_MS) stretches.push({ ...stretch, start_ms, end_ms })
    }
    buffer.copyWithin(0, filled - repeated, filled)
    position += filled - repeated
    filled = repeated
    told = repeated / 2
  }
  const hearRest = (): void => {
    if (filled > told) hearWindow(true)
    else {
      position += filled
      filled = 0
    }
    told = 0
  }

  return {
    accept(samples) {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + WINDOW_SAMPLES - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === WINDOW_SAMPLES) hearWindow(false)
      }
    },
    keep() {
      hearRest()
      return keptText({ heard_samples: position, loudest, stretches })
    },
    finish(spoken) {
      hearRest()
      return conclude(stretches, options, spoken)
    },
  }
}

function conclude(
  heard: readonly Stretch[],
  { voices: people, enrolled }: DiarizerOptions,
  spoken?: readonly SpokenStretch[],
): Diarized {
  const stretches = spoken === undefined ? heard : onlySpoken(heard, spoken)
  const prints = tellApart(stretches, people)
  const turns = placeVoices(stretches, prints)
  const order = [...new Set(turns.flatMap(({ voice }) => voice ?? []))]
  const renamed = new Map(order.map((voice, index) => [voice, index]))
  const named = turns.map((turn) => ({ ...turn, voice: turn.voice === null ? null : renamed.get(turn.voice)! }))
  const ordered = order.map((voice) => prints[voice]!)
  return { turns: named, voices: withEnrolled(ordered, named, enrolled) }
}

const withEnrolled = (
  prints: readonly Float32Array[],
  turns: readonly VoiceTurn[],
  enrolled: readonly EnrolledVoice[],
): FoundVoice[] =>
  prints.map((embedding, voice) => {
    const own = turns.filter((turn) => turn.voice === voice)
    const spoken_ms = own.reduce((sum, turn) => sum + turn.end_ms - turn.start_ms, 0)
    const known = enrolled.find((person) => isThe(voice, prints, person.embedding))
    return { voice, embedding, spoken_ms, enrolled_id: known?.id ?? null }
  })

function isThe(voice: number, prints: readonly Float32Array[], enrolled: Float32Array): boolean {
  if (prints.some((print) => print.length !== enrolled.length)) return false
  const like = prints.map((print) => dot(print, enrolled))
  const others = like.filter((_, index) => index !== voice)
  return like[voice]! >= ENROLLED_LIKENESS && others.every((other) => like[voice]! - other >= ENROLLED_LEAD)
}

const onThisMachine = { numThreads: 1, provider: 'cpu', debug: 0 } as const
/** Target peak: -3 dB of full scale. */
const LEVEL = 10 ** (-3 / 20)
/** A window's peak counts as at least this share of the loudest peak so far, so that noise is not amplified into speech. */
const QUIETEST = 0.1
const SILENCE = 1e-4
const MIN_PRINT_MS = 600
const MAX_PRINT_SAMPLES = 10 * SAMPLE_RATE

function createWindowEar({ segmentation, embedding }: SpeakerModels, people: number) {
  const diarization = new sherpa.OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentation }, ...onThisMachine },
    embedding: { model: embedding, ...onThisMachine },
    // More clusters than people: surplus clusters are joined later, but a cluster with two voices is not split. With
    // `numClusters`, the library ignores `threshold`.
    clustering: { numClusters: people + 2, threshold: 0.5 },
    minDurationOn: 0.2,
    minDurationOff: 0.5,
  })
  const readPrint = createPrintReader(embedding)
  return (window: Float32Array, startMs: number, loudest: number): Stretch[] => {
    const peak = peakOf(window)
    if (peak < SILENCE) return []
    const sound = window.map((sample) => sample * (LEVEL / Math.max(peak, loudest * QUIETEST)))
    return diarization.process(sound).map(({ start, end }) => {
      const isLong = (end - start) * 1000 >= MIN_PRINT_MS
      return stretchOf(startMs + start * 1000, startMs + end * 1000, isLong ? readPrint(middleOf(sound, start, end)) : null)
    })
  }
}

function createPrintReader(embedding: string): (sound: Float32Array) => Float32Array | null {
  const extractor = new sherpa.SpeakerEmbeddingExtractor({ model: embedding, ...onThisMachine })
  return (sound) => {
    const stream = extractor.createStream()
    stream.acceptWaveform({ samples: sound, sampleRate: SAMPLE_RATE })
    stream.inputFinished()
    // `false` makes a copy. With an external buffer, sherpa-onnx-node frees the memory while it is in use.
    return extractor.isReady(stream) ? unit(extractor.compute(stream, false)) : null
  }
}

function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}

function middleOf(sound: Float32Array, startSeconds: number, endSeconds: number): Float32Array {
  const from = Math.max(0, Math.round(startSeconds * SAMPLE_RATE))
  const to = Math.min(sound.length, Math.round(endSeconds * SAMPLE_RATE))
  const spare = Math.max(0, Math.floor((to - from - MAX_PRINT_SAMPLES) / 2))
  return sound.slice(from + spare, to - spare)
}
