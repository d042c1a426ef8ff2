import type { Transcript } from '#contract/model/transcript.ts'
import type { SessionData } from '../session-data.ts'

export type WhyNotAgain = 'no-engine' | 'no-sound' | 'own' | 'corrected' | 'note'

/** Why a recording can't be transcribed again, or null if it can. Corrections by a person are never overwritten. */
export function whyNotAgain(
  { recording, row }: Pick<SessionData, 'recording' | 'row'>,
  { engine, segments }: Pick<Transcript, 'engine' | 'segments'>,
  speechReady: boolean,
): WhyNotAgain | null {
  if (recording === null || recording.state !== 'finished') return 'no-sound'
  if (!speechReady) return 'no-engine'
  if (engine.name === 'person' || engine.name === 'import') return 'own'
  if (segments.some(({ edited }) => edited)) return 'corrected'
  // The note's evidence refers to this transcript's turns.
  return row.note === null ? null : 'note'
}
