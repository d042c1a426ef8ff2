import type { Statement } from '#contract/model/note.ts'
import type { Segment, SpeakerRole } from '#contract/model/transcript.ts'

export interface Pronouns {
  readonly subject: 'she' | 'he' | 'they'
  readonly object: 'her' | 'him' | 'them'
  readonly possessive: 'her' | 'his' | 'their'
  readonly absolute: 'hers' | 'his' | 'theirs'
  readonly reflexive: 'herself' | 'himself' | 'themselves'
}

export interface Person {
  readonly id: string
  readonly role: SpeakerRole
  /** How the note calls this person: a given name, or "the client". */
  readonly name: string
  /** Null where nobody told them: then the name is used. */
  readonly pronouns: Pronouns | null
  /** Several clients in the room: "they" could be any of them. */
  readonly isOneOfSeveral: boolean
}

/** One sentence of one segment; `from` and `to` are offsets in the segment's raw text. */
export interface Sentence {
  readonly index: number
  readonly turn: number
  readonly segment: Segment
  readonly person: Person
  readonly from: number
  readonly to: number
  readonly raw: string
  /** Fillers and restarts taken out: for matching and rewording, never for quoting. */
  readonly clean: string
  readonly words: readonly string[]
  readonly stems: ReadonlySet<string>
  readonly isQuestion: boolean
  readonly isFragment: boolean
  readonly isSmallTalk: boolean
  readonly isInstruction: boolean
  readonly isHypothetical: boolean
  readonly isReported: boolean
  readonly isHumour: boolean
}

/** Everything one person says before another one speaks. */
export interface Turn {
  readonly index: number
  readonly person: Person
  readonly sentences: readonly Sentence[]
  readonly words: readonly string[]
  readonly isBackchannel: boolean
}

/** A run of raw words of one sentence. */
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
  /** Said by the clinician of an examination, a test or a measurement. */
  | 'observation'
  | 'intervention'
  | 'response'
  | 'plan'
  | 'next'

/** A statement before it has a place, with what the choice among facts needs to know. */
export interface Fact {
  readonly kind: FactKind
  readonly topic: string
  readonly text: string
  readonly spans: readonly Span[]
  readonly person: Person | null
  readonly support: Statement['support']
  readonly finding: Statement['finding']
  readonly safety: boolean
  /** Facts with `must` are taken before anything else, as far as a hard limit allows. */
  readonly must: boolean
  readonly score: number
  /** Position in the session, for order and ties. */
  readonly at: number
  /** Sentence indexes this fact already says, so that nothing is said twice. */
  readonly covers: ReadonlySet<number>
}

export interface Room {
  readonly people: readonly Person[]
  readonly therapist: Person | null
  readonly clients: readonly Person[]
  readonly turns: readonly Turn[]
  readonly sentences: readonly Sentence[]
  /** Turn indexes from the first to the last that belong to the work; the rest is arriving and leaving. */
  readonly opening: number
  readonly closing: number
}
