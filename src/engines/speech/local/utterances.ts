import { SAMPLE_RATE } from '../pcm.ts'

export interface Utterance {
  /** In samples, of the sound it was cut from. */
  readonly start: number
  readonly samples: Float32Array
}

/** A breath: where somebody speaks on and on, this is the best place to cut. */
const breath = SAMPLE_RATE / 5
const step = SAMPLE_RATE / 100

/** Parts no longer than `longest` samples, cut where the last third of each is quietest. */
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
  for (let at = from; at + breath <= to; at += step) {
    let energy = 0
    for (let index = at; index < at + breath; index += 1) energy += samples[index]! ** 2
    if (energy < best.energy) best = { energy, at: at + breath / 2 }
  }
  return best.at
}
