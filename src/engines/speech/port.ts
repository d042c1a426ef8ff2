import type { Engine } from '#contract/model/transcript.ts'

export type FileKind = 'flac' | 'mp3' | 'm4a'

/** At most about five minutes of 16 kHz mono audio, or a whole file. All times are relative to its start. */
export interface SpeechRequest {
  readonly wav: Uint8Array<ArrayBuffer>
  /** If set, the bytes are an unchanged file of this type instead of WAV, and `duration_ms` is an upper limit. */
  readonly file?: FileKind
  readonly duration_ms: number
  readonly language: string | null
  readonly vocabulary: readonly string[]
}

export interface HeardWord {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
  readonly confidence: number | null
}

export interface HeardSegment {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
  readonly confidence: number | null
  /** Speaker label from the engine; null if it gives none. */
  readonly speaker: string | null
  readonly words: readonly HeardWord[]
}

export interface Heard {
  readonly segments: readonly HeardSegment[]
  readonly language: string | null
}

export interface SpeechPort {
  readonly engine: Engine
  /** @throws AppError `engine-not-ready`, `engine-failed`; the abort reason of `signal` */
  transcribe(request: SpeechRequest, signal: AbortSignal): Promise<Heard>
}

export const noSpeech =
  'No speech engine is set up. Install a speech model, give the address of an OpenAI-compatible speech server, or import or type the transcript.'
