import type { NoteBody } from '#contract/model/note.ts'
import type { OwnTemplate, Template } from '#contract/model/template.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { Engine, Segment, Speaker } from '#contract/model/transcript.ts'

export type DraftSession = Readonly<
  Pick<Session, 'id' | 'session_type' | 'modality' | 'starts_at' | 'duration_minutes' | 'time_zone'> &
    Partial<Pick<Session, 'participants'>>
>

export type DraftClient = Readonly<Pick<Client, 'id' | 'display_name' | 'given_name' | 'pronouns'>>

export interface DraftRequest {
  readonly template: Template
  readonly own?: OwnTemplate | null
  readonly session: DraftSession | null
  readonly client: DraftClient | null
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
  readonly marks?: readonly { readonly at_ms: number; readonly text: string }[]
}

export interface DataDraftRequest extends Pick<DraftRequest, 'template' | 'own' | 'session' | 'client'> {
  readonly session_type: string
  readonly duration_minutes: number
  readonly presenting_concerns: readonly string[]
  readonly interventions: readonly string[]
  readonly client_response: string
}

export interface LanguagePort {
  readonly engine: Engine
  /** `onProgress` receives the completed share, 0 to 1. Not every engine calls it. */
  draft(request: DraftRequest, signal: AbortSignal, onProgress?: (share: number) => void): Promise<NoteBody>
  draftFromData(request: DataDraftRequest): Promise<NoteBody>
}

export interface Question {
  readonly instructions: string
  readonly prompt: string
  readonly form: Readonly<Record<string, unknown>>
  readonly most_tokens: number
}

export type Told =
  | { readonly kind: 'text'; readonly text: string; readonly is_cut: boolean; readonly read_tokens: number | null }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-long' }

export interface TextModel {
  readonly engine: Engine
  readonly context_tokens: number
  tell(question: Question, signal: AbortSignal, onText: (piece: string) => void): Promise<Told>
}
