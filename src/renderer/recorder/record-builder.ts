export interface Level {
  readonly peak: number
  readonly rms: number
}

export function monoOf(frame: AudioData): Float32Array<ArrayBuffer> {
  const planes = Array.from({ length: frame.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(frame.numberOfFrames)
    frame.copyTo(plane, { planeIndex, format: 'f32-planar' })
    return plane
  })
  return downMix(planes)
}

export function downMix(planes: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const mono = new Float32Array(planes[0]?.length ?? 0)
  for (const plane of planes) for (let index = 0; index < mono.length; index += 1) mono[index]! += plane[index]! / planes.length
  return mono
}

export function createLevelMeter(stretch: number) {
  const levels: Level[] = []
  let filled = 0
  let peak = 0
  let energy = 0
  return {
    add(samples: Float32Array): void {
      for (const sample of samples) {
        peak = Math.max(peak, Math.abs(sample))
        energy += sample * sample
        filled += 1
        if (filled < stretch) continue
        levels.push({ peak, rms: Math.sqrt(energy / stretch) })
        filled = 0
        peak = 0
        energy = 0
      }
    },
    take(count: number): Level {
      const taken = levels.splice(0, count)
      if (taken.length === 0) return { peak: Math.min(1, peak), rms: filled === 0 ? 0 : Math.min(1, Math.sqrt(energy / filled)) }
      const mean = taken.reduce((sum, level) => sum + level.rms * level.rms, 0) / taken.length
      return { peak: Math.min(1, Math.max(...taken.map((level) => level.peak))), rms: Math.min(1, Math.sqrt(mean)) }
    },
  }
}

export type ToCapture =
  | { readonly kind: 'begin'; readonly readable: ReadableStream<AudioData>; readonly bitrate: number }
  | { readonly kind: 'end' }

/** Up to 200 ms of sound. `packets` has the format of `recordings.append`. */
export interface CapturedRecord {
  readonly packets: Uint8Array<ArrayBuffer>
  readonly duration_ms: number
  readonly peak: number
  readonly rms: number
}

/**
 * `asked`: the window ended the capture. `track`: the microphone's track ended. `stalled`: no sound arrived for seconds.
 * `failed`: a new sample rate or an error.
 */
export type CaptureEnd = 'asked' | 'track' | 'stalled' | 'failed'

export type FromCapture =
  | { readonly kind: 'format'; readonly input_sample_rate: number; readonly pre_skip: number }
  /** Sound is missing between the previous record and the next one, e.g. because the computer slept. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'record'; readonly record: CapturedRecord }
  | { readonly kind: 'ended'; readonly why: CaptureEnd }

export const PACKET_MS = 20
/** 200 ms of sound. Shorter records would lose less in a crash, but need more disk syncs. */
const RECORD_PACKETS = 10

export function createRecordBuilder(takeLevel: (packets: number) => Level, give: (record: CapturedRecord) => void) {
  let packets: Uint8Array[] = []
  function flush(): void {
    if (packets.length === 0) return
    const { peak, rms } = takeLevel(packets.length)
    give({ packets: join(packets), duration_ms: packets.length * PACKET_MS, peak, rms })
    packets = []
  }
  return {
    add(packet: Uint8Array): void {
      packets.push(packet)
      if (packets.length === RECORD_PACKETS) flush()
    },
    flush,
  }
}

/** Prefixes each packet with its length as unsigned 16-bit big-endian, the format of `recordings.append`. */
export function join(packets: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(packets.reduce((sum, packet) => sum + 2 + packet.length, 0))
  let offset = 0
  for (const packet of packets) {
    bytes[offset] = packet.length >> 8
    bytes[offset + 1] = packet.length & 0xff
    bytes.set(packet, offset + 2)
    offset += 2 + packet.length
  }
  return bytes
}
