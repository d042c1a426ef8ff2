import { accessSync } from 'node:fs'
import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE } from '../port.ts'

const WINDOW_SIZE = 512
const BUFFER_SECONDS = 120

interface Tuning {
  readonly pauseSeconds: number
  readonly longestSeconds: number
}

export interface SpeechDetector {
  accept(samples: Float32Array): Utterance[]
  finish(): Utterance[]
}

/** Voice activity detection. Recognizers get only speech, because they invent words in silence. */
export function loadSpeechDetector(model: string, { pauseSeconds, longestSeconds }: Tuning): SpeechDetector {
  // The library silently detects nothing if the file is missing.
  accessSync(model)
  const detector = new sherpa.Vad(
    {
      sileroVad: {
        model,
        threshold: 0.5,
        minSilenceDuration: pauseSeconds,
        minSpeechDuration: 0.25,
        maxSpeechDuration: longestSeconds,
        windowSize: WINDOW_SIZE,
      },
      sampleRate: SAMPLE_RATE,
      numThreads: 1,
      provider: 'cpu',
      debug: 0,
    },
    BUFFER_SECONDS,
  )
  const waiting = new Float32Array(WINDOW_SIZE)
  let waits = 0

  function over(): Utterance[] {
    const found: Utterance[] = []
    for (; !detector.isEmpty(); detector.pop()) found.push(detector.front(false))
    return found
  }

  return {
    accept(samples) {
      for (let at = 0; at < samples.length;) {
        const count = Math.min(WINDOW_SIZE - waits, samples.length - at)
        waiting.set(samples.subarray(at, at + count), waits)
        waits += count
        at += count
        if (waits < WINDOW_SIZE) break
        detector.acceptWaveform(waiting)
        waits = 0
      }
      return over()
    },
    finish() {
      detector.acceptWaveform(waiting.fill(0, waits))
      waits = 0
      detector.flush()
      const rest = over()
      detector.reset()
      return rest
    },
  }
}

export interface Utterance {
  readonly start: number
  readonly samples: Float32Array
}

/** In samples (200 ms). In continuous speech, a breath is the best place to cut. */
const BREATH = SAMPLE_RATE / 5
const STEP = SAMPLE_RATE / 100

export function cutLong({ start, samples }: Utterance, longest: number): Utterance[] {
  const parts: Utterance[] = []
  let at = 0
  while (samples.length - at > longest) {
    const cut = quietest(samples, at + Math.floor((longest * 2) / 3), at + longest)
    parts.push({ start: start + at, samples: samples.slice(at, cut) })
    at = cut
  }
  return [...parts, { start: start + at, samples: at === 0 ? samples : samples.slice(at) }]
}

function quietest(samples: Float32Array, from: number, to: number): number {
  let best = { energy: Infinity, at: to }
  for (let at = from; at + BREATH <= to; at += STEP) {
    let energy = 0
    for (let index = at; index < at + BREATH; index += 1) energy += samples[index]! ** 2
    if (energy < best.energy) best = { energy, at: at + BREATH / 2 }
  }
  return best.at
}
