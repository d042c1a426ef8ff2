export type ToCapture =
  | { readonly kind: 'begin'; readonly readable: ReadableStream<AudioData>; readonly bitrate: number }
  | { readonly kind: 'end' }

/** About 200 ms of sound, in the format of `recordings.append`. */
export interface CapturedRecord {
  readonly packets: Uint8Array<ArrayBuffer>
  readonly duration_ms: number
  readonly peak: number
  readonly rms: number
}

/** Why a capture session ended: on request; track ended; no frames for seconds; format change or encoder failure. */
export type CaptureEnd = 'asked' | 'track' | 'stalled' | 'failed'

export type FromCapture =
  | { readonly kind: 'format'; readonly input_sample_rate: number; readonly pre_skip: number }
  /** Sound is missing between the previous and the next record, e.g. after sleep. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'record'; readonly record: CapturedRecord }
  | { readonly kind: 'ended'; readonly why: CaptureEnd }
