import type { DraftClient, DraftSession } from '../port.ts'
import type { Segment, Speaker, SpeakerRole } from '#contract/model/transcript.ts'

/** What a draft is checked against. */
export interface CheckSource {
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
  readonly client: DraftClient | null
  readonly session: DraftSession | null
}

export type Tense = 'past' | 'future' | 'present' | null

export interface Token {
  readonly word: string
  readonly keys: readonly string[]
  readonly isContent: boolean
  readonly isNegated: boolean
  readonly tense: Tense
  readonly clause: number
  /** The previous word names a person. */
  readonly isAfterPerson: boolean
  /** Possible subjects of this word, the nearest last. */
  readonly doers: readonly string[]
  /** "was given": the subject is named elsewhere. */
  readonly isPassive: boolean
}

export interface Clause {
  readonly index: number
  readonly text: string
  /** The punctuation or word before the clause; empty at the start. */
  readonly after: string
  readonly tokens: readonly Token[]
  readonly isHedged: boolean
  /** "If I lost it", "I would": not a fact. */
  readonly isHypothetical: boolean
  /** "used to", "years ago": no longer true. */
  readonly isRemote: boolean
}

export type Reply = 'yes' | 'no' | 'hedged' | 'other'

/** One sentence of one segment. */
export interface Unit {
  readonly segment: number
  readonly from: number
  readonly to: number
  readonly text: string
  readonly person: Participant
  readonly clauses: readonly Clause[]
  readonly keys: ReadonlySet<string>
  readonly isQuestion: boolean
  /** The next speaker's answer; null if there is none. */
  readonly replyText: string | null
  readonly reply: { readonly kind: Reply; readonly segment: number; readonly by: Participant } | null
}

export interface Participant {
  readonly id: string
  readonly role: SpeakerRole
  /** The label in the transcript; empty if missing. */
  readonly label: string
}

export interface Room {
  readonly participants: readonly Participant[]
  /** Maps a word to the people it can mean: a given name, "client", "mother" if she is in the session. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly segments: readonly Segment[]
  readonly places: ReadonlyMap<string, number>
  /** The sentences of one segment, parsed on first use. */
  readonly unitsAt: (segment: number) => readonly Unit[]
  readonly speakerAt: (segment: number) => Participant
  /** Names with a capital anywhere in the session. */
  readonly names: ReadonlySet<string>
  /** Every spoken word, in lower case. */
  readonly vocabulary: ReadonlySet<string>
  readonly session: DraftSession | null
  /** The only client's pronoun, if known. */
  readonly pronoun: string | null
}

export interface Fault {
  /**
   * `drop`: contradicted or never said. `likely`: probably wrong, by a fallible reading; alone it counts as a doubt.
   * `doubt`: stays, flagged for review.
   */
  readonly level: 'drop' | 'likely' | 'doubt'
  readonly reason: string
}
