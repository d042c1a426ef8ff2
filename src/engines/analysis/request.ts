import type { Evidence } from '#contract/model/note.ts'
import type { Speaker } from '#contract/model/transcript.ts'
import type { DraftRequest, DraftSession } from '#engines/language/port.ts'
import type { SessionTime } from '#engines/language/rules/plan-parts.ts'

export interface PreviousSession extends SessionTime, Pick<DraftRequest, 'speakers' | 'segments'> {
  readonly session_id: string
  readonly session?: DraftSession
  readonly plan: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[]
}

export interface AnalysisRequest extends Pick<DraftRequest, 'session' | 'client' | 'speakers' | 'segments'> {
  readonly goals: readonly string[]
  readonly focus: readonly string[]
  readonly previous: PreviousSession | null
}

export function rolesByExclusion(speakers: readonly Speaker[]): readonly Speaker[] {
  if (speakers.length !== 2) return speakers
  const has = (role: Speaker['role']): boolean => speakers.some((speaker) => speaker.role === role)
  const missing = has('therapist') ? 'client' : has('client') ? 'therapist' : null
  if (missing === null) return speakers
  return speakers.map((speaker) => (speaker.role === 'unknown' ? { ...speaker, role: missing } : speaker))
}
