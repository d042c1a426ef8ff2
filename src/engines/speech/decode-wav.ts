import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import { SAMPLE_RATE } from './port.ts'

interface Format {
  readonly encoding: 'integer' | 'float'
  readonly channels: number
  readonly rate: number
  readonly bits: number
}

const SAMPLES_PER_SLICE = 12_000
const MAX_HEAD = 1024 * 1024
const REACH = 16

export async function* decodeWavStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
  let head: Head = null
  let rest: Buffer = Buffer.alloc(0)
  let left = Infinity
  let rate: Rate | null = null
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    if (head === null) {
      head = readHead(rest)
      if (head === null && rest.length > MAX_HEAD) throw unreadable()
      if (head === null) continue
      rest = rest.subarray(head.start)
      left = head.length
      rate = toRate(head.format.rate)
    }
    const width = (head.format.bits / 8) * head.format.channels
    for (let usable = wholeFrames(rest.length, left, width); usable > 0; usable = wholeFrames(rest.length, left, width)) {
      yield* rate!.take(toMono(rest.subarray(0, usable), head.format))
      await breathe()
      rest = rest.subarray(usable)
      left -= usable
    }
  }
  if (head === null) throw unreadable()
  yield* rate!.end()
}

export async function* decodeWav(bytes: Uint8Array): AsyncGenerator<Float32Array> {
  yield* decodeWavStream(once(bytes))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const wholeFrames = (there: number, left: number, width: number): number =>
  Math.floor(Math.min(there, left, SAMPLES_PER_SLICE * width) / width) * width

interface Rate {
  take(samples: Float32Array): Generator<Float32Array>
  end(): Generator<Float32Array>
}

function toRate(from: number): Rate {
  if (from === SAMPLE_RATE) {
    return {
      *take(samples) {
        yield samples
      },
      *end() {},
    }
  }
  const step = from / SAMPLE_RATE
  const width = widthFor(step)
  let held = new Float32Array(0)
  let base = 0
  let next = 0
  function* upTo(last: number): Generator<Float32Array> {
    const count = last - next
    if (count <= 0) return
    yield resampled(held, base, step, next, count)
    next = last
    const needless = Math.max(0, Math.min(held.length, Math.ceil(next * step - width) - base))
    held = held.subarray(needless)
    base += needless
  }
  return {
    *take(samples) {
      const joined = new Float32Array(held.length + samples.length)
      joined.set(held)
      joined.set(samples, held.length)
      held = joined
      yield* upTo(Math.floor((base + held.length - 1 - width) / step) + 1)
    },
    *end() {
      yield* upTo(Math.floor(((base + held.length) * SAMPLE_RATE) / from))
    },
  }
}

export function readWav(bytes: Uint8Array): { format: Format; data: Buffer } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = readHead(file)
  if (head === null) throw unreadable()
  return { format: head.format, data: file.subarray(head.start, head.start + head.length) }
}

type Head = ReturnType<typeof readHead>

function readHead(file: Buffer) {
  const isWav = file.length < 12 || (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE')
  if (!isWav) throw unreadable()
  let format: Format | null = null
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    if (name === 'data' && format) return { format, start: at + 8, length: length === 0xffffffff ? Infinity : length }
    const end = at + 8 + length
    if (name === 'fmt ' && end <= file.length) format = readFormat(file.subarray(at + 8, end))
    at = end + (length & 1)
  }
  return null
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw unreadable()
  const plainTag = chunk.readUInt16LE(0)
  // WAVE_FORMAT_EXTENSIBLE carries the real format tag in its GUID.
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

const widthFor = (step: number): number => Math.ceil(REACH * Math.max(1, step))

/** Resamples with a windowed sinc (Hann). `step`: input samples per output sample; `base`: input position of `held[0]`. */
function resampled(held: Float32Array, base: number, step: number, from: number, count: number): Float32Array {
  const output = new Float32Array(count)
  const cutoff = Math.min(1, 1 / step)
  const width = widthFor(step)
  for (let index = 0; index < count; index += 1) {
    const centre = (from + index) * step
    const first = Math.max(0, Math.ceil(centre - width))
    const last = Math.min(base + held.length - 1, Math.floor(centre + width))
    let sum = 0
    for (let tap = first; tap <= last; tap += 1) {
      const distance = tap - centre
      const angle = Math.PI * distance * cutoff
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / width)
      sum += held[tap - base]! * window * (angle === 0 ? 1 : Math.sin(angle) / angle)
    }
    output[index] = sum * cutoff
  }
  return output
}

const unreadable = (): AppError => new AppError('unsupported-media', 'This WAV file cannot be read.')
