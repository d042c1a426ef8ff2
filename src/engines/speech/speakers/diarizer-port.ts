export interface EnrolledVoice {
  readonly id: string
  readonly embedding: Float32Array
}

export interface DiarizerOptions {
  readonly segmentation: string
  readonly embedding: string
  /** Number of people, the maximum number of voices; null if unknown. */
  readonly voices: number | null
  readonly enrolled: readonly EnrolledVoice[]
  /** State from another diarizer's `keep`; this one continues after it. */
  readonly kept?: string | null
}

export interface VoiceTurn {
  readonly start_ms: number
  readonly end_ms: number
  readonly voice: number | null
  /** Half of a voice whose turns sound different; the halves may be two people. */
  readonly part: number
}

export interface FoundVoice {
  /** From 0, in the order of first appearance. */
  readonly voice: number
  readonly embedding: Float32Array
  readonly spoken_ms: number
  readonly enrolled_id: string | null
}

export interface Diarized {
  readonly turns: readonly VoiceTurn[]
  readonly voices: readonly FoundVoice[]
}

export interface SpokenStretch {
  readonly start_ms: number
  readonly end_ms: number
}

export interface Diarizer {
  /** 16 kHz mono, in order. The library frees memory between event loop turns, so yield between calls. */
  accept(samples: Float32Array): void
  /** State for another process: embeddings, no audio. Results match if both call `keep` at the same positions. */
  keep(): string | null
  /** Audio outside `spoken`, if given, is noise and belongs to no voice. */
  finish(spoken?: readonly SpokenStretch[]): Diarized
}
