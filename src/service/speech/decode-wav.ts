import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import { SAMPLE_RATE } from './pcm.ts'

interface Format {
  readonly encoding: 'integer' | 'float'
  readonly channels: number
  readonly rate: number
  readonly bits: number
}

const samplesPerSlice = 4_000
/** Half the width of the filter's kernel, in samples of the slower side. */
const reach = 16

/**
 * WAV to 16 kHz mono. Short sound only: all of it is in memory already.
 *
 * @throws AppError `unsupported-media`
 */
export async function* decodeWav(bytes: Uint8Array): AsyncGenerator<Float32Array> {
  const { format, data } = readWav(bytes)
  const mono = toMono(data, format)
  if (format.rate === SAMPLE_RATE) {
    for (let at = 0; at < mono.length; at += SAMPLE_RATE) yield mono.subarray(at, at + SAMPLE_RATE)
    return
  }
  const total = Math.floor((mono.length * SAMPLE_RATE) / format.rate)
  for (let at = 0; at < total; at += samplesPerSlice) {
    yield resampled(mono, format.rate / SAMPLE_RATE, at, Math.min(samplesPerSlice, total - at))
    await breathe()
  }
}

/** @throws AppError `unsupported-media` */
export function readWav(bytes: Uint8Array): { format: Format; data: Buffer } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let format: Format | null = null
  const isWav = file.length >= 12 && file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE'
  for (let at = 12; isWav && at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const chunk = file.subarray(at + 8, at + 8 + length)
    if (name === 'fmt ') format = readFormat(chunk)
    if (name === 'data' && format) return { format, data: chunk }
    at += 8 + length + (length & 1)
  }
  throw unreadable()
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw unreadable()
  const plainTag = chunk.readUInt16LE(0)
  // WAVE_FORMAT_EXTENSIBLE names the real one in its GUID.
  const tag = plainTag === 0xfffe && chunk.length >= 26 ? chunk.readUInt16LE(24) : plainTag
  const format = {
    encoding: tag === 3 ? 'float' : 'integer',
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    bits: chunk.readUInt16LE(14),
  } as const
  const isKnown = (tag === 1 && [8, 16, 24, 32].includes(format.bits)) || (tag === 3 && format.bits === 32)
  if (!isKnown || format.channels < 1 || format.channels > 8 || format.rate < 4_000 || format.rate > 384_000) throw unreadable()
  return format
}

function toMono(data: Buffer, { encoding, channels, bits }: Format): Float32Array {
  const width = bits / 8
  const samples = new Float32Array(Math.floor(data.length / (width * channels)))
  const at = (offset: number): number => {
    if (encoding === 'float') return data.readFloatLE(offset)
    return bits === 8 ? (data[offset]! - 128) / 128 : data.readIntLE(offset, width) / 2 ** (bits - 1)
  }
  for (let index = 0; index < samples.length; index += 1) {
    let sum = 0
    for (let channel = 0; channel < channels; channel += 1) sum += at((index * channels + channel) * width)
    samples[index] = sum / channels
  }
  return samples
}

/** Windowed sinc (Hann), cut off at the slower of the two rates. `step`: input samples per output sample. */
function resampled(input: Float32Array, step: number, from: number, count: number): Float32Array {
  const output = new Float32Array(count)
  const cutoff = Math.min(1, 1 / step)
  const width = Math.ceil(reach / cutoff)
  for (let index = 0; index < count; index += 1) {
    const centre = (from + index) * step
    const first = Math.max(0, Math.ceil(centre - width))
    const last = Math.min(input.length - 1, Math.floor(centre + width))
    let sum = 0
    for (let tap = first; tap <= last; tap += 1) {
      const distance = tap - centre
      const angle = Math.PI * distance * cutoff
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / width)
      sum += input[tap]! * window * (angle === 0 ? 1 : Math.sin(angle) / angle)
    }
    output[index] = sum * cutoff
  }
  return output
}

function unreadable(): AppError {
  return new AppError('unsupported-media', 'This WAV file cannot be read.')
}
