export type ToCapture =
  | { readonly kind: 'begin'; readonly readable: ReadableStream<AudioData>; readonly bitrate: number }
  | { readonly kind: 'end' }

/** Up to 200 ms of sound, in the format of `recordings.append`. */
export interface CapturedRecord {
  readonly packets: Uint8Array<ArrayBuffer>
  readonly duration_ms: number
  readonly peak: number
  readonly rms: number
}

/**
 * Why capturing ended. `asked`: on request. `track`: the microphone's track ended. `stalled`: no frames arrived for seconds.
 * `failed`: the format changed or the encoder failed.
 */
export type CaptureEnd = 'asked' | 'track' | 'stalled' | 'failed'

export type FromCapture =
  | { readonly kind: 'format'; readonly input_sample_rate: number; readonly pre_skip: number }
  /** Sound is missing between the previous record and the next one, e.g. because the computer slept. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'record'; readonly record: CapturedRecord }
  | { readonly kind: 'ended'; readonly why: CaptureEnd }
