import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE } from '../pcm.ts'
import { stretchOf, type Stretch } from './stretch.ts'
import { unit } from './vectors.ts'

const onThisMachine = { numThreads: 1, provider: 'cpu', debug: 0 } as const
/** A peak of -3 dB is what both models expect. */
const level = 10 ** (-3 / 20)
/** A quiet window is not raised over a tenth of the loudest so far: it would be its noise that speaks. */
const quietest = 0.1
const silence = 1e-4
/** Shorter than this a voice cannot be known by. */
const shortestPrintMs = 600
/** More does not make a print better. */
const longestPrintSamples = 10 * SAMPLE_RATE

interface Models {
  readonly segmentation: string
  readonly embedding: string
}

/**
 * Cuts a window of sound into stretches of one voice each. More clusters are asked for than there are people: a window in
 * which one person speaks is cut in pieces that the whole session joins again, and never does one stretch hold two voices.
 */
export function createWindowEar({ segmentation, embedding }: Models, people: number) {
  const diarization = new sherpa.OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentation }, ...onThisMachine },
    embedding: { model: embedding, ...onThisMachine },
    clustering: { numClusters: people + 2, threshold: 0.5 },
    minDurationOn: 0.2,
    minDurationOff: 0.5,
  })
  const readPrint = createPrintReader(embedding)
  return (window: Float32Array, startMs: number, loudest: number): Stretch[] => {
    const peak = peakOf(window)
    if (peak < silence) return []
    const sound = window.map((sample) => sample * (level / Math.max(peak, loudest * quietest)))
    return diarization.process(sound).map(({ start, end }) => {
      const isLong = (end - start) * 1000 >= shortestPrintMs
      return stretchOf(startMs + start * 1000, startMs + end * 1000, isLong ? readPrint(middleOf(sound, start, end)) : null)
    })
  }
}

/** The print of the one voice that speaks in a sound; null where it is too short or still. */
function createPrintReader(embedding: string): (sound: Float32Array) => Float32Array | null {
  const extractor = new sherpa.SpeakerEmbeddingExtractor({ model: embedding, ...onThisMachine })
  return (sound) => {
    const stream = extractor.createStream()
    stream.acceptWaveform({ samples: sound, sampleRate: SAMPLE_RATE })
    stream.inputFinished()
    // Without its own copy (the false) the memory of the answer would be freed under it: sherpa-onnx-node, external buffers.
    return extractor.isReady(stream) ? unit(extractor.compute(stream, false)) : null
  }
}

export function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}

function middleOf(sound: Float32Array, startSeconds: number, endSeconds: number): Float32Array {
  const from = Math.max(0, Math.round(startSeconds * SAMPLE_RATE))
  const to = Math.min(sound.length, Math.round(endSeconds * SAMPLE_RATE))
  const spare = Math.max(0, Math.floor((to - from - longestPrintSamples) / 2))
  return sound.slice(from + spare, to - spare)
}
