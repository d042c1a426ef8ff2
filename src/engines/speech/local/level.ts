import { SAMPLE_RATE } from '../pcm.ts'

const frame = SAMPLE_RATE / 100
/** -3 dB of full scale: where the models were trained to hear. */
const wanted = 0.708
/** +20 dB. More would make speech of the noise of an empty room. */
const mostGain = 10
/** The loudest of so many pieces counts: somebody who speaks softly for a minute is not made as loud as a shout. */
const pieces = 5
/** This share of a piece's frames may be louder: a door is no voice. */
const bangs = 0.001

/**
 * How much louder each piece is made, from its own sound and that of the pieces before it. The whole recording would
 * have to be read twice to know its peak; the last few minutes say as much, and change little from piece to piece, so
 * that a voice keeps its colour. The same recording always gives the same gains.
 */
export function createLevel(): (samples: Int16Array) => number {
  const peaks: number[] = []
  return (samples) => {
    peaks.push(peakOf(samples))
    if (peaks.length > pieces) peaks.shift()
    return Math.min(mostGain, wanted / Math.max(1e-6, ...peaks))
  }
}

export function levelled(samples: Int16Array, gain: number): Float32Array {
  const louder = gain / 32_768
  const sound = new Float32Array(samples.length)
  for (let index = 0; index < sound.length; index += 1) sound[index] = Math.max(-1, Math.min(1, samples[index]! * louder))
  return sound
}

function peakOf(samples: Int16Array): number {
  const frames = new Float32Array(Math.ceil(samples.length / frame))
  for (let index = 0; index < samples.length; index += 1) {
    const at = Math.floor(index / frame)
    frames[at] = Math.max(frames[at]!, Math.abs(samples[index]!))
  }
  frames.sort()
  return frames[Math.max(0, frames.length - 1 - Math.floor(frames.length * bangs))]! / 32_768
}
