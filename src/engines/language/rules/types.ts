import type { Statement } from '#contract/model/note.ts'
import type { Segment, SpeakerRole } from '#contract/model/transcript.ts'
import type { labelsOf } from './labels.ts'
import type { Pronouns } from './people.ts'
import type { readRoom } from './room.ts'

export interface Person {
  readonly id: string
  readonly role: SpeakerRole
  readonly name: string
  /** Null if unknown; the note then repeats the name or, where it is clear, uses singular "they". */
  readonly pronouns: Pronouns | null
  readonly isOneOfSeveral: boolean
}

export interface Sentence extends Readonly<ReturnType<typeof labelsOf>> {
  readonly index: number
  readonly turn: number
  readonly segment: Segment
  readonly person: Person
  readonly from: number
  readonly to: number
  readonly raw: string
  /** Without fillers and restarts, for matching and rewording. Quotations use `raw`. */
  readonly clean: string
  readonly words: readonly string[]
  readonly stems: ReadonlySet<string>
}

export interface Turn {
  readonly index: number
  readonly person: Person
  readonly sentences: readonly Sentence[]
  readonly words: readonly string[]
  readonly isBackchannel: boolean
}

export interface Span {
  readonly sentence: Sentence
  readonly from: number
  readonly to: number
}

export type FactKind =
  | 'client'
  | 'finding'
  | 'medication'
  | 'score'
  | 'collateral'
  | 'goal'
  | 'reflection'
  | 'observation'
  | 'intervention'
  | 'response'
  | 'plan'
  | 'next'

export interface Fact {
  readonly kind: FactKind
  readonly topic: string
  readonly text: string
  readonly spans: readonly Span[]
  readonly person: Person | null
  readonly support: Statement['support']
  readonly finding: Statement['finding']
  readonly safety: boolean
  readonly must: boolean
  readonly score: number
  readonly at: number
  readonly covers: ReadonlySet<number>
}

export type Room = ReturnType<typeof readRoom>
