export interface EnrolledVoice {
  readonly id: string
  readonly embedding: Float32Array
}

export interface DiarizerOptions {
  readonly segmentation: string
  readonly embedding: string
  /** Number of people, and so the maximum number of voices; null if unknown. */
  readonly voices: number | null
  readonly enrolled: readonly EnrolledVoice[]
  /** State from another diarizer's `keep`; this diarizer continues from it. */
  readonly kept?: string | null
}

export interface VoiceTurn {
  readonly start_ms: number
  readonly end_ms: number
  readonly voice: number | null
  /** 0 or 1: if the turns of one voice sound like two people, which of the two groups this turn is in. */
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
  /**
   * State for another process: embeddings, but no audio. A run that is resumed with it gives the same result as one that
   * calls `keep` at the same positions and goes on.
   */
  keep(): string | null
  /** Audio outside `spoken`, if given, is noise and belongs to no voice. */
  finish(spoken?: readonly SpokenStretch[]): Diarized
}
