import type { Settings } from '#contract/bridge/settings.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { Participant } from '#contract/model/session.ts'
import { peoplePresent } from '#domain/consent.ts'
import { isUnreadable } from '#renderer/sessions/damaged-sound.tsx'

/** What every tab of a session stands on. */
export interface SessionData {
  readonly row: SessionRow
  readonly settings: Settings
  /** Null: none was made. Taken from the running recorder while it is this session's. */
  readonly recording: Recording | null
}

/** Everyone in the room but the therapist; without a list, the client alone. */
export function peopleOf(row: Pick<SessionRow, 'session' | 'client_name'>): readonly Participant[] {
  return peoplePresent(row.session.participants, row.client_name)
}

/** Audio that can be listened to. */
export function playableId(recording: Recording | null): string | null {
  if (recording === null || recording.saved_ms === 0 || isUnreadable(recording)) return null
  return recording.state === 'finished' || recording.state === 'interrupted' ? recording.id : null
}

export const isRunning = (recording: Recording | null): boolean =>
  recording !== null && (recording.state === 'recording' || recording.state === 'paused')
