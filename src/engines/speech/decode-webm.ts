import type { OpusStream } from './decode-opus.ts'
import { openOpus, opusSamples } from './decode-opus.ts'
import { readOpusHead } from './ogg.ts'
import { readWebm } from './webm.ts'

/** Times are written in whole milliseconds; less than this apart is no hole. In samples at 48 kHz. */
const smallestHole = 960
const packetsAtOnce = 25

/**
 * WebM with Opus to 16 kHz mono, as it comes. Where packets are missing it is silent for as long.
 *
 * @throws AppError `unsupported-media`
 */
export async function* decodeWebmOpus(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
  let stream: OpusStream | null = null
  let began: number | null = null
  let packets: Uint8Array[] = []
  /** Samples at 48 kHz up to the end of what was given on, and of what waits behind it. */
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
      if (packets.length >= packetsAtOnce || hole > smallestHole) yield* flushed()
      if (hole > smallestHole) end += hole
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
