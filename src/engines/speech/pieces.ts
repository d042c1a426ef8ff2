import { SAMPLE_RATE, WAV_HEADER_BYTES, writeWavHeader } from './pcm.ts'

/** A stretch of sound that is sent to the engine in one go. */
export interface Piece {
  readonly index: number
  readonly start_ms: number
  readonly duration_ms: number
  /** 16-bit mono. */
  readonly wav: Uint8Array<ArrayBuffer>
  /** Nothing in it but silence: engines make up words there, so it is not sent. */
  readonly isSilent: boolean
}

const frameLength = SAMPLE_RATE / 100
const usualSeconds = 300
/** The quietest moment of this last share of a full piece is where it is cut. */
const searchShare = 0.2
/** A breath: frames of 10 ms that must be quiet together. */
const breathFrames = 30
/** -60 dB of full scale, squared: quieter than any room with somebody in it. */
const silentEnergy = (32_768 * 0.001) ** 2

/**
 * Cuts sound into pieces of at most `seconds`, each at the quietest moment near its end. The same sound is always cut
 * the same way, so that pieces already done are known again after a restart. Holds one piece at a time, and writes it
 * where it will be sent from: copying ten megabytes at once would hold the thread.
 */
export async function* cutIntoPieces(sound: AsyncIterable<Float32Array>, seconds: number = usualSeconds): AsyncGenerator<Piece> {
  const limit = Math.floor(seconds * 100) * frameLength
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
    const isSilent = energies.subarray(0, Math.ceil(length / frameLength)).every((energy) => energy / frameLength <= silentEnergy)
    const piece = { index, start_ms: toMs(start), duration_ms: toMs(start + length) - toMs(start), wav, isSilent }
    index += 1
    start += length
    return piece
  }
}

interface Filling {
  /** Behind room for the header, in one buffer with it. */
  readonly samples: Int16Array<ArrayBuffer>
  /** Sum of squares of each frame of 10 ms. */
  readonly energies: Float64Array
  length: number
}

function newFilling(limit: number): Filling {
  const buffer = new ArrayBuffer(WAV_HEADER_BYTES + limit * 2)
  return {
    samples: new Int16Array(buffer, WAV_HEADER_BYTES),
    energies: new Float64Array(Math.ceil(limit / frameLength)),
    length: 0,
  }
}

/** Takes what still has room; whole numbers are samples already. */
function fill(filling: Filling, chunk: Float32Array | Int16Array, from: number): number {
  const { samples, energies } = filling
  const count = Math.min(chunk.length - from, samples.length - filling.length)
  const scale = chunk instanceof Int16Array ? 1 : 32_768
  for (let offset = 0; offset < count; offset += 1) {
    const at = filling.length + offset
    const sample = Math.max(-32_768, Math.min(32_767, Math.round(chunk[from + offset]! * scale)))
    samples[at] = sample
    energies[Math.floor(at / frameLength)]! += sample * sample
  }
  filling.length += count
  return count
}

/** In samples: the middle of the quietest breath in the last part. */
function quietestCut({ energies }: Filling): number {
  const from = Math.floor(energies.length * (1 - searchShare))
  const breath = Math.min(breathFrames, Math.max(1, energies.length - from))
  let sum = energies.subarray(from, from + breath).reduce((total, energy) => total + energy, 0)
  let best = { sum, frame: from }
  for (let frame = from + 1; frame + breath <= energies.length; frame += 1) {
    sum += energies[frame + breath - 1]! - energies[frame - 1]!
    if (sum < best.sum) best = { sum, frame }
  }
  return (best.frame + Math.floor(breath / 2)) * frameLength
}

const toMs = (samples: number): number => Math.round(samples / (SAMPLE_RATE / 1000))

export function samplesOf({ wav }: Pick<Piece, 'wav'>): Int16Array {
  return new Int16Array(wav.buffer, wav.byteOffset + WAV_HEADER_BYTES, (wav.byteLength - WAV_HEADER_BYTES) / 2)
}
