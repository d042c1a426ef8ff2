import type { NoteBody, Template } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Engine, Segment, Speaker } from '#contract/model/transcript.ts'

/** What an engine may know of the appointment; `null` in a request that names no session. */
export interface DraftSession {
  readonly id: string
  readonly session_type: Session['session_type']
  readonly modality: Session['modality']
  readonly starts_at: string
  readonly duration_minutes: number
  readonly time_zone: string
}

export interface DraftClient {
  readonly id: string
  readonly display_name: string
  readonly given_name: string | null
  /** As the client says them, e.g. "she/her". Never inferred. */
  readonly pronouns: string | null
}

/** A moment the therapist typed while the session ran. */
export interface DraftMark {
  readonly at_ms: number
  readonly text: string
}

export interface DraftRequest {
  readonly template: Template
  readonly session: DraftSession | null
  readonly client: DraftClient | null
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
  readonly marks?: readonly DraftMark[]
}

/** Session data without a transcript: only these fields may appear in the draft. */
export interface DataDraftRequest {
  readonly template: Template
  readonly session: DraftSession | null
  readonly client: DraftClient | null
  readonly session_type: string
  readonly duration_minutes: number
  readonly presenting_concerns: readonly string[]
  readonly interventions: readonly string[]
  readonly client_response: string
}

export interface LanguagePort {
  readonly engine: Engine
  /** Throws AppError `nothing-said` where nobody but the therapist spoke. */
  draft(request: DraftRequest, signal: AbortSignal): Promise<NoteBody>
  draftFromData(request: DataDraftRequest): Promise<NoteBody>
}
