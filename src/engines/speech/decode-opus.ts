import { setImmediate as breathe } from 'node:timers/promises'
import { OpusDecoder } from 'opus-decoder'
import { AppError } from '#contract/errors.ts'
import type { OggPage } from './ogg.ts'
import { readOgg, readOpusHead } from './ogg.ts'
import { SAMPLE_RATE } from './pcm.ts'

/**
 * Decoding runs in the caller's thread in slices of this many packets and lets every other event in between: 25
 * packets of 20 ms take about a millisecond (`npm run bench` measures the longest). A thread of its own would save
 * nothing and cost a second copy of the sound.
 */
const packetsPerSlice = 25
/** Opus counts at 48 kHz whatever it is decoded to. */
const perSample = 48_000 / SAMPLE_RATE
/** A hole longer than this is a lie of a damaged page, not lost sound. */
const longestHole = 4 * 60 * 60 * 48_000

/**
 * Ogg Opus to 16 kHz mono, as it comes. Sound that is missing in the file (a lost page, a packet that cannot be
 * decoded) is silence of the same length, so that every time stays true.
 *
 * @throws AppError `unsupported-media`
 */
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

export interface OpusStream {
  page(page: OggPage): AsyncGenerator<Float32Array>
  free(): void
}

export async function openOpus({ channels, pre_skip }: { channels: 1 | 2; pre_skip: number }): Promise<OpusStream> {
  const decoder = new OpusDecoder({ channels, sampleRate: SAMPLE_RATE })
  await decoder.ready
  /** Samples at 48 kHz since the stream began, pre-skip included. */
  let position = 0
  /** Granule of the first sample: a file may be the tail of a longer stream. */
  let origin: number | null = null
  let skip = Math.floor(pre_skip / perSample)

  return {
    free: () => decoder.free(),
    async *page({ packets, granule, isLast }) {
      const length = packets.reduce((sum, packet) => sum + opusSamples(packet), 0)
      if (length === 0) return
      const end = granule === null ? null : Number(granule)
      if (end !== null) origin ??= isLast ? 0 : Math.max(0, end - length)
      const hole = end === null || origin === null ? 0 : end - origin - position - length
      if (hole > 0 && hole <= longestHole && !isLast) yield* silence(hole)
      // The last page may end in the middle of a packet (RFC 7845, 4.4).
      let allowed = isLast && hole < 0 ? Math.max(0, length + hole) : Infinity
      for (let at = 0; at < packets.length; at += packetsPerSlice) {
        const samples = decodeSlice(packets.slice(at, at + packetsPerSlice))
        const kept = samples.subarray(0, Math.floor(Math.min(samples.length, allowed / perSample)))
        allowed -= samples.length * perSample
        yield skipped(kept)
        await breathe()
      }
      position += length
    },
  }

  function decodeSlice(packets: readonly Uint8Array[]): Float32Array {
    const total = packets.reduce((sum, packet) => sum + opusSamples(packet), 0) / perSample
    const samples = new Float32Array(total)
    let at = 0
    for (const packet of packets) {
      const [left, right] = decoder.decodeFrame(packet).channelData
      const length = opusSamples(packet) / perSample
      if (left && right)
        for (let index = 0; index < left.length; index += 1) samples[at + index] = (left[index]! + right[index]!) / 2
      else if (left) samples.set(left.subarray(0, length), at)
      at += length
    }
    return samples
  }

  async function* silence(length: number): AsyncGenerator<Float32Array> {
    position += length
    for (let left = Math.floor(length / perSample); left > 0; left -= SAMPLE_RATE) {
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

/** RFC 6716, 3.1: samples at 48 kHz in a packet, from its first byte or two. */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const config = toc >> 3
  const frame =
    config < 12 ? [480, 960, 1920, 2880][config & 3]! : config < 16 ? [480, 960][config & 1]! : [120, 240, 480, 960][config & 3]!
  const code = toc & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63
  // At most 120 ms.
  return Math.min(frame * frames, 5760)
}

function isTags(packet: Uint8Array): boolean {
  return packet.length >= 8 && Buffer.from(packet.buffer, packet.byteOffset, 8).toString('latin1') === 'OpusTags'
}
