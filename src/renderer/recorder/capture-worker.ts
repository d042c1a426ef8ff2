import type { CaptureEnd, CapturedRecord, FromCapture, ToCapture } from './record-builder.ts'
import { createLevelMeter, createRecordBuilder, monoOf, PACKET_MS } from './record-builder.ts'
import { withGaps } from './gap-detector.ts'

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToCapture>) => void) | null
  postMessage(message: FromCapture, transfer?: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope

/** Deadlines count timer ticks instead of time: a stalled thread runs no ticks, and its frames wait in the buffer. */
const TURN_MS = 100
/** Frames arrive every 10 ms. After this many ticks without a frame, the device counts as dead. */
const DEAD_TURNS = 30
const END_TURNS = 3
/** A read that took longer than this had to wait for a frame, so the buffer was empty. */
const WAITED_MS = 4

let isEnding = false

scope.onmessage = ({ data }) => {
  if (data.kind === 'begin') void capture(data.readable, data.bitrate)
  else isEnding = true
}

async function capture(readable: ReadableStream<AudioData>, bitrate: number): Promise<void> {
  const frames = createFrames(readable.getReader())
  let encoding: Encoding | null = null
  let why: CaptureEnd
  try {
    why = 'track'
    for await (const frame of withGaps(frames.read, Date.now)) {
      if (frame === 'gap') {
        await encoding?.flush()
        scope.postMessage({ kind: 'gap' })
        continue
      }
      encoding ??= createEncoding(frame.sampleRate, bitrate)
      if (!encoding.add(frame)) {
        why = 'failed'
        break
      }
      if (isEnding && frames.hasCaughtUp(frame)) break
    }
  } catch {
    why = 'failed'
  }
  await encoding?.end().catch(() => {})
  const stopped = isEnding ? 'asked' : frames.isDead() ? 'stalled' : why
  scope.postMessage({ kind: 'ended', why: stopped })
  await frames.close()
}

function createFrames(reader: ReadableStreamDefaultReader<AudioData>) {
  let turns = 0
  let waited = 0
  let isDead = false
  let isReading = false
  let latest: AudioData | undefined
  const watch = setInterval(() => {
    if (!isReading) return
    turns += 1
    isDead = turns >= DEAD_TURNS
    if (isDead || (isEnding && turns >= END_TURNS)) void reader.cancel()
  }, TURN_MS)
  return {
    async read(): Promise<AudioData | null> {
      const askedAt = performance.now()
      isReading = true
      const { done, value } = await reader.read()
      isReading = false
      waited = performance.now() - askedAt
      turns = 0
      latest = value
      return done ? null : value
    },
    hasCaughtUp: (frame: AudioData) => frame === latest && waited > WAITED_MS,
    isDead: () => isDead,
    async close(): Promise<void> {
      clearInterval(watch)
      await reader.cancel().catch(() => {})
    },
  }
}

type Encoding = ReturnType<typeof createEncoding>

function createEncoding(sampleRate: number, bitrate: number) {
  const meter = createLevelMeter(Math.round((sampleRate * PACKET_MS) / 1000))
  const builder = createRecordBuilder(meter.take, give)
  let samples = 0
  let hasFailed = false
  const encoder = new AudioEncoder({
    output(chunk, metadata) {
      const description = metadata?.decoderConfig?.description
      if (description !== undefined)
        scope.postMessage({ kind: 'format', input_sample_rate: sampleRate, pre_skip: preSkipOf(description) })
      const packet = new Uint8Array(chunk.byteLength)
      chunk.copyTo(packet)
      builder.add(packet)
    },
    error() {
      hasFailed = true
    },
  })
  encoder.configure(opusAt(sampleRate, bitrate))

  async function flush(): Promise<void> {
    await encoder.flush()
    builder.flush()
  }

  return {
    /** Closes the frame. False if it was not encoded: its sample rate differs from the encoder's, or the encoder failed. */
    add(frame: AudioData): boolean {
      const isSame = frame.sampleRate === sampleRate && !hasFailed
      if (isSame) {
        const mono = monoOf(frame)
        meter.add(mono)
        // Timestamps come from the sample count, because frame timestamps jump when a device starts.
        const timestamp = Math.round((samples / sampleRate) * 1e6)
        const data = new AudioData({
          format: 'f32-planar',
          sampleRate,
          numberOfChannels: 1,
          numberOfFrames: mono.length,
          timestamp,
          data: mono,
        })
        samples += mono.length
        encoder.encode(data)
        data.close()
      }
      frame.close()
      return isSame
    },
    flush,
    async end(): Promise<void> {
      await flush()
      encoder.close()
    },
  }
}

function opusAt(sampleRate: number, bitrate: number): AudioEncoderConfig {
  return {
    codec: 'opus',
    sampleRate,
    numberOfChannels: 1,
    bitrate,
    // With a variable bitrate, the sizes of sealed records would reveal when a person speaks, and even words.
    bitrateMode: 'constant',
    // Do not set `signal: 'voice'`. With it, loud steady tones decode as clipped noise for seconds.
    opus: { format: 'opus', frameDuration: PACKET_MS * 1000, application: 'voip' } as OpusEncoderConfig,
  }
}

function give(record: CapturedRecord): void {
  scope.postMessage({ kind: 'record', record }, [record.packets.buffer])
}

/** Samples at 48 kHz that a decoder must skip, from the OpusHead header (RFC 7845, section 5.1). */
function preSkipOf(description: AllowSharedBufferSource): number {
  const bytes = ArrayBuffer.isView(description)
    ? new DataView(description.buffer, description.byteOffset, description.byteLength)
    : new DataView(description)
  return bytes.byteLength >= 12 ? bytes.getUint16(10, true) : 0
}
