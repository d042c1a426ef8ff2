import type { DraftRequest } from '../port.ts'
import type { Speaker } from '#contract/model/transcript.ts'
import type { claimOf, scopeOf } from './claims.ts'
import type { clausesOf } from './clauses.ts'
import type { roomOf } from './room.ts'

export type CheckSource = Pick<DraftRequest, 'speakers' | 'segments' | 'client' | 'session'>

export type Participant = Readonly<Pick<Speaker, 'id' | 'role' | 'label'>>

export type Tense = 'past' | 'future' | 'present' | null

export type Reply = 'yes' | 'no' | 'hedged' | 'other'

export interface Fault {
  /** In a note from a transcript, `drop` removes the statement, `likely` only together with another fault; `doubt` flags it. */
  readonly level: 'drop' | 'likely' | 'doubt'
  readonly reason: string
}

export type Clause = ReturnType<typeof clausesOf>[number]
export type Token = Clause['tokens'][number]
export type Room = ReturnType<typeof roomOf>
export type Unit = ReturnType<Room['unitsAt']>[number]
export type Claim = ReturnType<typeof claimOf>
export type Scope = ReturnType<typeof scopeOf>
