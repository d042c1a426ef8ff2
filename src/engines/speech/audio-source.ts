import { setImmediate as breathe } from 'node:timers/promises'
import { OpusDecoder } from 'opus-decoder'
import { AppError } from '#contract/errors.ts'
import { type FileKind, SAMPLE_RATE } from './port.ts'
import { decodeWavStream, readWav } from './decode-wav.ts'
import { readWebm, readOpusHead, type OggPage, readOgg } from './containers.ts'

type AudioKind = 'wav' | 'ogg' | 'webm'

const kinds: Readonly<Record<string, AudioKind>> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'audio/webm': 'webm',
}

export function kindOf(mediaType: string): AudioKind {
  const kind = kinds[mediaType.split(';')[0]!.trim().toLowerCase()]
  if (kind === undefined)
    throw new AppError(
      'unsupported-media',
      'Audio must be WAV, or Opus in Ogg or WebM; other kinds are taken by a speech server alone.',
    )
  return kind
}

const files: Readonly<Record<string, FileKind>> = { 'audio/flac': 'flac', 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' }
const MAX_FILE = 25 * 1024 * 1024

export function fileKindOf(mediaType: string, bytes: number, hasServer: boolean): FileKind | null {
  const kind = files[mediaType]
  if (kind === undefined) return null
  if (!hasServer)
    throw new AppError(
      'unsupported-media',
      'The models on this machine hear WAV, and Opus in Ogg or WebM; other kinds need a speech server.',
    )
  if (bytes > MAX_FILE)
    throw new AppError('too-large', 'A speech server takes at most 25 MiB of this kind. Send WAV, or Opus in Ogg or WebM.')
  return kind
}

export function checkAudio(bytes: Uint8Array, kind: AudioKind): void {
  if (kind === 'wav') return void readWav(bytes)
  if (kind === 'webm') return void mediaTypeOf(bytes.subarray(0, TELLING_BYTES))
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 100)).toString('latin1')
  if (!head.startsWith('OggS') || !head.includes('OpusHead')) throw new AppError('unsupported-media', 'This is not Opus in Ogg.')
}

export const decode = (kind: AudioKind, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Float32Array> =>
  kind === 'wav' ? decodeWavStream(bytes) : kind === 'webm' ? decodeWebmOpus(bytes) : decodeOggOpus(bytes)

/** In samples at 48 kHz (20 ms). WebM timestamps are usually rounded to milliseconds, so a smaller difference is not a gap. */
const SMALLEST_HOLE = 960
const PACKETS_AT_ONCE = 25

export async function* decodeWebmOpus(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
  let stream: OpusStream | null = null
  let began: number | null = null
  let packets: Uint8Array[] = []
  let end = 0
  let waiting = 0
  try {
    for await (const part of readWebm(bytes)) {
      if ('head' in part) {
        stream?.free()
        stream = await openOpus(readOpusHead(part.head))
        continue
      }
      began ??= part.at
      const hole = Math.round((part.at - began) * 48) - end - waiting
      if (packets.length >= PACKETS_AT_ONCE || hole > SMALLEST_HOLE) yield* flushed()
      if (hole > SMALLEST_HOLE) end += hole
      packets.push(part.bytes)
      waiting += opusSamples(part.bytes)
    }
    yield* flushed()
  } finally {
    stream?.free()
  }

  async function* flushed(): AsyncGenerator<Float32Array> {
    if (stream === null || packets.length === 0) return
    end += waiting
    const page = { packets, granule: BigInt(end), isLast: false }
    packets = []
    waiting = 0
    yield* stream.page(page)
  }
}

/** 25 packets of 20 ms decode in about 1 ms. Other work can run between two slices. */
const PACKETS_PER_SLICE = 25
const PER_SAMPLE = 48_000 / SAMPLE_RATE
/** In samples at 48 kHz (four hours). A longer gap counts as an error in the file and is ignored. */
const MAX_HOLE = 4 * 60 * 60 * 48_000

/** Silence replaces lost pages in the middle and undecodable packets, so that later times stay correct. */
export async function* decodeOggOpus(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
  let stream: OpusStream | null = null
  try {
    for await (const page of readOgg(bytes)) {
      const packets = [...page.packets]
      if (stream === null) {
        const first = packets.shift()
        if (first === undefined) continue
        stream = await openOpus(readOpusHead(first))
      }
      yield* stream.page({ ...page, packets: packets.filter((packet) => !isTags(packet)) })
    }
    if (stream === null) throw new AppError('unsupported-media', 'This is not Ogg Opus.')
  } finally {
    stream?.free()
  }
}

type OpusStream = Awaited<ReturnType<typeof openOpus>>

async function openOpus({ channels, pre_skip }: ReturnType<typeof readOpusHead>) {
  const decoder = new OpusDecoder({ channels, sampleRate: SAMPLE_RATE })
  await decoder.ready
  let position = 0
  /** Granule position of the first sample: a file may be the tail of a longer stream. */
  let origin: number | null = null
  let skip = Math.floor(pre_skip / PER_SAMPLE)

  return {
    free: () => decoder.free(),
    async *page({ packets, granule, isLast }: OggPage): AsyncGenerator<Float32Array> {
      const length = packets.reduce((sum, packet) => sum + opusSamples(packet), 0)
      if (length === 0) return
      const end = granule === null ? null : Number(granule)
      if (end !== null) origin ??= isLast ? 0 : Math.max(0, end - length)
      const hole = end === null || origin === null ? 0 : end - origin - position - length
      if (hole > 0 && hole <= MAX_HOLE && !isLast) yield* silence(hole)
      // The audio of the last page may end in the middle of a packet (RFC 7845, 4.4).
      let allowed = isLast && hole < 0 ? Math.max(0, length + hole) : Infinity
      for (let at = 0; at < packets.length; at += PACKETS_PER_SLICE) {
        const samples = decodeSlice(packets.slice(at, at + PACKETS_PER_SLICE))
        const kept = samples.subarray(0, Math.floor(Math.min(samples.length, allowed / PER_SAMPLE)))
        allowed -= samples.length * PER_SAMPLE
        yield skipped(kept)
        await breathe()
      }
      position += length
    },
  }

  function decodeSlice(packets: readonly Uint8Array[]): Float32Array {
    const total = packets.reduce((sum, packet) => sum + opusSamples(packet), 0) / PER_SAMPLE
    const samples = new Float32Array(total)
    let at = 0
    for (const packet of packets) {
      const [left, right] = decoder.decodeFrame(packet).channelData
      const length = opusSamples(packet) / PER_SAMPLE
      if (left && right)
        for (let index = 0; index < left.length; index += 1) samples[at + index] = (left[index]! + right[index]!) / 2
      else if (left) samples.set(left.subarray(0, length), at)
      at += length
    }
    return samples
  }

  async function* silence(length: number): AsyncGenerator<Float32Array> {
    position += length
    for (let left = Math.floor(length / PER_SAMPLE); left > 0; left -= SAMPLE_RATE) {
      yield skipped(new Float32Array(Math.min(left, SAMPLE_RATE)))
      await breathe()
    }
  }

  function skipped(samples: Float32Array): Float32Array {
    const dropped = Math.min(skip, samples.length)
    skip -= dropped
    return dropped === 0 ? samples : samples.subarray(dropped)
  }
}

/** Samples at 48 kHz in a packet, from its first one or two bytes (RFC 6716, 3.1 and 3.2). */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const config = toc >> 3
  const frame =
    config < 12 ? [480, 960, 1920, 2880][config & 3]! : config < 16 ? [480, 960][config & 1]! : [120, 240, 480, 960][config & 3]!
  const code = toc & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63
  return Math.min(frame * frames, 5760)
}

const isTags = (packet: Uint8Array): boolean =>
  packet.length >= 8 && Buffer.from(packet.buffer, packet.byteOffset, 8).toString('latin1') === 'OpusTags'

export const TELLING_BYTES = 4096

type Kind = readonly [mediaType: string, is: (head: Buffer) => boolean]
const at = (head: Buffer, start: number, text: string): boolean => head.toString('latin1', start, start + text.length) === text
const has = (head: Buffer, text: string): boolean => head.includes(Buffer.from(text, 'latin1'))

const mediaKinds: readonly Kind[] = [
  ['audio/ogg', (head) => at(head, 0, 'OggS') && has(head.subarray(0, 100), 'OpusHead')],
  ['audio/webm', (head) => at(head, 0, '\u001aE\u00df\u00a3') && has(head, 'webm') && has(head, 'A_OPUS')],
  ['audio/wav', (head) => at(head, 0, 'RIFF') && at(head, 8, 'WAVE')],
  ['audio/flac', (head) => at(head, 0, 'fLaC')],
  [
    'audio/mp4',
    (head) =>
      at(head, 4, 'ftyp') && ['M4A ', 'M4B ', 'mp42', 'mp41', 'isom', 'iso2', 'iso5', 'iso6'].some((brand) => at(head, 8, brand)),
  ],
  ['audio/mpeg', (head) => at(head, 0, 'ID3') || isMp3Frame(head)],
]

/** Checks the frame header (ISO 11172-3, 2.4.1.3): sync word, layer III, and a valid bitrate and sample rate. */
function isMp3Frame(head: Buffer): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  const isLayer3 = sync === 0xff && (version & 0xe0) === 0xe0 && (version & 0x18) !== 0x08 && (version & 0x06) === 0x02
  return isLayer3 && rates >> 4 !== 0 && rates >> 4 !== 15 && (rates & 0x0c) !== 0x0c
}

export function mediaTypeOf(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const kind = mediaKinds.find(([, is]) => is(bytes))
  if (kind === undefined)
    throw new AppError('unsupported-media', 'This is not audio that can be taken: Opus in Ogg or WebM, WAV, FLAC, MP3 or M4A.')
  return kind[0]
}
