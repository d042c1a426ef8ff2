import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { Recording } from '#contract/model/recording.ts'
import { damagedWords as words } from '#renderer/strings/recovery.ts'
import { formatLength } from '#renderer/strings/time.ts'

export const unreadableMs = ({ gaps }: Pick<Recording, 'gaps'>): number =>
  gaps.reduce((sum, { reason, duration_ms }) => (reason === 'damage' ? sum + duration_ms : sum), 0)

export function damageSentence(unreadable: number, saved: number): string {
  if (unreadable >= saved) return words.whole({ length: formatLength(saved) })
  return words.part({ lost: unreadable < 1000 ? words.underASecond : formatLength(unreadable), length: formatLength(saved) })
}

export type Stored = Pick<SessionRow, 'transcript' | 'note'>

export function storedSentence({ transcript, note }: Stored): string {
  if (transcript.present) return note === null ? words.transcriptSafe : words.bothSafe
  return note === null ? '' : words.noteSafe
}

export const isUnreadable = (recording: Pick<Recording, 'saved_ms' | 'gaps'> | null): boolean =>
  recording !== null && recording.saved_ms > 0 && unreadableMs(recording) >= recording.saved_ms
