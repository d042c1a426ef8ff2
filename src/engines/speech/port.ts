import type { Engine } from '#contract/model/transcript.ts'

/** Kinds of files that are not decoded here, and that servers take as they are. */
export type FileKind = 'flac' | 'mp3' | 'm4a'

/** At most about five minutes of 16 kHz mono sound; all times are on its own clock. */
export interface SpeechRequest {
  readonly wav: Uint8Array<ArrayBuffer>
  /** The bytes are no WAV but a whole file of this kind, as it was sent; `duration_ms` is the longest it can be. */
  readonly file?: FileKind
  readonly duration_ms: number
  readonly language: string | null
  /** Names and words to expect. */
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
  /** As the engine names them; null where it tells none. Never guessed. */
  readonly speaker: string | null
  readonly words: readonly HeardWord[]
}

export interface Heard {
  readonly segments: readonly HeardSegment[]
  readonly language: string | null
}

export interface SpeechPort {
  readonly engine: Engine
  /** @throws AppError `engine-not-ready`, `engine-failed`; whatever `signal` was aborted with */
  transcribe(request: SpeechRequest, signal: AbortSignal): Promise<Heard>
}

export const noSpeech =
  'No speech engine is set up. Install a speech model, give the address of an OpenAI-compatible speech server, or import or type the transcript.'
