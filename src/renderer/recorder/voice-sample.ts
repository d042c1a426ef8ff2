import { monoOf } from './record-builder.ts'
import { openMicrophone } from './microphones.ts'

const RATE = 16_000
/** Ten seconds of frames, so that a window that stalls for less loses no sound. */
const BUFFERED_FRAMES = 1000
const HEADER_BYTES = 44

export interface VoiceSampleEvents {
  onProgress(seconds: number, peak: number): void
}

export async function recordVoice(
  deviceId: string | null,
  seconds: number,
  { onProgress }: VoiceSampleEvents,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const track = await openMicrophone(deviceId)
  const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: BUFFERED_FRAMES })
  const reader = readable.getReader()
  const stop = (): void => void reader.cancel()
  signal.addEventListener('abort', stop, { once: true })
  const parts: Float32Array<ArrayBuffer>[] = []
  let rate = 0
  let heard = 0
  try {
    while (!signal.aborted && (rate === 0 || heard < seconds * rate)) {
      const { done, value: frame } = await reader.read()
      if (done) break
      const mono = monoOf(frame)
      rate = frame.sampleRate
      frame.close()
      parts.push(mono)
      heard += mono.length
      onProgress(heard / rate, peakOf(mono))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    track.stop()
    await reader.cancel().catch(() => {})
  }
  if (signal.aborted || heard === 0) return null
  const samples = await resampled(parts, heard, rate)
  for (const part of parts) part.fill(0)
  return wavOf(samples)
}

function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}

async function resampled(parts: readonly Float32Array<ArrayBuffer>[], length: number, rate: number): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, Math.floor((length * RATE) / rate), RATE)
  const buffer = context.createBuffer(1, length, rate)
  let at = 0
  for (const part of parts) {
    buffer.copyToChannel(part, 0, at)
    at += part.length
  }
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(context.destination)
  source.start()
  return (await context.startRendering()).getChannelData(0)
}

function wavOf(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const name = (at: number, letters: string): void => {
    for (let index = 0; index < letters.length; index += 1) view.setUint8(at + index, letters.charCodeAt(index))
  }
  name(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  name(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  name(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true)
  return bytes
}
