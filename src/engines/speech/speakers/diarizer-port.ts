/** Who speaks when, told from sound that comes in order and is never kept whole. */

export interface EnrolledVoice {
  readonly id: string
  readonly embedding: Float32Array
}

export interface DiarizerOptions {
  /** Paths of the two models. */
  readonly segmentation: string
  readonly embedding: string
  /** How many people are in the room, which is as many as may be told apart; null where nobody knows. */
  readonly voices: number | null
  readonly enrolled: readonly EnrolledVoice[]
  /** From `keep` of one that heard the sound so far; this one goes on behind it. */
  readonly kept?: string | null
}

export interface VoiceTurn {
  readonly start_ms: number
  readonly end_ms: number
  /** Null: somebody speaks, and it cannot be told who. */
  readonly voice: number | null
  /** Of the two halves into which a voice falls where its turns do not all sound alike: it may be two people's. */
  readonly part: number
}

export interface FoundVoice {
  /** From 0, in the order in which they are first heard. */
  readonly voice: number
  readonly embedding: Float32Array
  readonly spoken_ms: number
  readonly enrolled_id: string | null
}

export interface Diarized {
  readonly turns: readonly VoiceTurn[]
  readonly voices: readonly FoundVoice[]
}

/** Where a voice activity detection heard speech. */
export interface SpokenStretch {
  readonly start_ms: number
  readonly end_ms: number
}

export interface Diarizer {
  /** 16 kHz mono, in order. What the library took for it is given back between turns of the event loop: let some pass. */
  accept(samples: Float32Array): void
  /**
   * All it knows of the sound so far, as text, so that another process goes on from here and ends the same way: as long
   * as both were asked at the same places. Holds numbers of voices, no sound. Null where it cannot: it then hears everything again.
   */
  keep(): string | null
  /** What lies outside `spoken`, where that is known, is noise and nobody's voice. */
  finish(spoken?: readonly SpokenStretch[]): Diarized
}
