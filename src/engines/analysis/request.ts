import type { Evidence } from '#contract/model/note.ts'
import type { Segment, Speaker } from '#contract/model/transcript.ts'
import type { DraftClient, DraftSession } from '#engines/language/port.ts'

/** What was said and agreed in the client's last session before the one that is analysed. */
export interface PreviousSession {
  readonly session_id: string
  /** Tells whether it was a group; without it, it was none. */
  readonly session?: DraftSession
  readonly starts_at: string
  readonly time_zone: string
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
  /** What stands in its note's plan; used where the transcript tells of none. */
  readonly plan: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[]
}

export interface AnalysisRequest {
  readonly session: DraftSession | null
  readonly client: DraftClient | null
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
  /** Goals of the treatment, where the caller knows them. */
  readonly goals: readonly string[]
  /** Matters the caller wants looked at, put first. */
  readonly focus: readonly string[]
  readonly previous: PreviousSession | null
}

/**
 * Where two people speak and one of them is known to be the therapist or the client, the other one is the other. Among
 * more than two nobody is guessed.
 */
export function rolesByExclusion(speakers: readonly Speaker[]): readonly Speaker[] {
  if (speakers.length !== 2) return speakers
  const has = (role: Speaker['role']): boolean => speakers.some((speaker) => speaker.role === role)
  const missing = has('therapist') ? 'client' : has('client') ? 'therapist' : null
  if (missing === null) return speakers
  return speakers.map((speaker) => (speaker.role === 'unknown' ? { ...speaker, role: missing } : speaker))
}
