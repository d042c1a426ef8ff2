/** To the worker: one stretch of sound to encode. */
export type ToCapture =
  | { readonly kind: 'begin'; readonly readable: ReadableStream<AudioData>; readonly bitrate: number }
  | { readonly kind: 'end' }

/** About 200 ms of sound, as `recordings.append` takes it. */
export interface CapturedRecord {
  readonly packets: Uint8Array<ArrayBuffer>
  readonly duration_ms: number
  readonly peak: number
  readonly rms: number
}

/** Why a stretch ended: asked to; the track ended; nothing came for seconds; the format changed or the encoder failed. */
export type CaptureEnd = 'asked' | 'track' | 'stalled' | 'failed'

export type FromCapture =
  | { readonly kind: 'format'; readonly input_sample_rate: number; readonly pre_skip: number }
  /** Between the record before and the one after it sound is missing, as after sleep. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'record'; readonly record: CapturedRecord }
  | { readonly kind: 'ended'; readonly why: CaptureEnd }
