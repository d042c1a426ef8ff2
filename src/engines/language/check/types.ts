import type { DraftClient, DraftSession } from '../port.ts'
import type { Segment, Speaker, SpeakerRole } from '#contract/model/transcript.ts'

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
  /** A content word that a note must have from the session. */
  readonly isTelling: boolean
  readonly isNegated: boolean
  readonly tense: Tense
  readonly clause: number
  readonly isAfterPerson: boolean
  readonly doers: readonly string[]
  /** As in "was given": the word before the verb is not the one who acts. */
  readonly isPassive: boolean
}

export interface Clause {
  readonly index: number
  readonly text: string
  readonly after: string
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly isHedged: boolean
  readonly isHypothetical: boolean
  readonly isRemote: boolean
}

export type Reply = 'yes' | 'no' | 'hedged' | 'other'

export interface Unit {
  readonly segment: number
  readonly from: number
  readonly to: number
  readonly text: string
  readonly person: Participant
  readonly clauses: readonly Clause[]
  readonly keys: ReadonlySet<string>
  readonly isQuestion: boolean
  readonly replyText: string | null
  readonly reply: { readonly kind: Reply; readonly segment: number; readonly by: Participant } | null
}

export interface Participant {
  readonly id: string
  readonly role: SpeakerRole
  readonly label: string
}

export interface Room {
  readonly participants: readonly Participant[]
  readonly clients: readonly string[]
  readonly therapists: readonly string[]
  readonly nonTherapists: readonly string[]
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly segments: readonly Segment[]
  readonly places: ReadonlyMap<string, number>
  readonly unitsAt: (segment: number) => readonly Unit[]
  readonly speakerAt: (segment: number) => Participant
  readonly names: ReadonlySet<string>
  isNamed(word: string): boolean
  readonly vocabulary: ReadonlySet<string>
  readonly session: DraftSession | null
  readonly pronoun: string | null
}

export interface Fault {
  /** `likely` removes the statement only together with another fault; `doubt` only flags it. */
  readonly level: 'drop' | 'likely' | 'doubt'
  readonly reason: string
}

export interface Claim {
  readonly text: string
  readonly quotes: readonly { readonly text: string; readonly before: string }[]
  readonly own: string
  readonly clauses: readonly Clause[]
  /** Clauses about the therapist's actions in the session, which are not facts about the client. */
  readonly deeds: ReadonlySet<number>
  readonly asked: ReadonlySet<number>
  readonly denied: ReadonlySet<number>
}

export interface Scope {
  readonly cited: readonly number[]
  readonly units: readonly Unit[]
  readonly beside: readonly Unit[]
  readonly near: readonly Unit[]
  readonly around: readonly Unit[]
}
