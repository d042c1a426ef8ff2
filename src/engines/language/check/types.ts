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
  /** The word before names somebody. */
  readonly isAfterPerson: boolean
  /** Whoever the words before may make the doer of this one, the nearest last. */
  readonly doers: readonly string[]
  /** "was given": the doer stands elsewhere. */
  readonly isPassive: boolean
}

export interface Clause {
  readonly index: number
  readonly text: string
  /** The mark or word the clause comes after; empty at the start. */
  readonly after: string
  readonly tokens: readonly Token[]
  readonly isHedged: boolean
  /** "If I lost it", "I would": not what is. */
  readonly isHypothetical: boolean
  /** "used to", "years ago": no longer so. */
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
  /** What the next person made of it; null where nothing followed. */
  readonly replyText: string | null
  readonly reply: { readonly kind: Reply; readonly segment: number; readonly by: Participant } | null
}

export interface Participant {
  readonly id: string
  readonly role: SpeakerRole
  /** As the transcript calls them; empty where it does not. */
  readonly label: string
}

export interface Room {
  readonly participants: readonly Participant[]
  /** A word to whom it may mean: a given name, "client", "mother" where she is in the room. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly segments: readonly Segment[]
  readonly places: ReadonlyMap<string, number>
  /** The sentences of one segment, read when first asked for. */
  readonly unitsAt: (segment: number) => readonly Unit[]
  readonly speakerAt: (segment: number) => Participant
  /** Names spoken or written with a capital anywhere in the session. */
  readonly names: ReadonlySet<string>
  /** Every word said, in lower case. */
  readonly vocabulary: ReadonlySet<string>
  readonly session: DraftSession | null
  /** How the only client is called, where that is known. */
  readonly pronoun: string | null
}

export interface Fault {
  /**
   * `drop`: the session says otherwise, or nobody said it. `likely`: so it reads, by a reading of sentences that can err;
   * alone a doubt. `doubt`: may stand, but needs a look.
   */
  readonly level: 'drop' | 'likely' | 'doubt'
  readonly reason: string
}
