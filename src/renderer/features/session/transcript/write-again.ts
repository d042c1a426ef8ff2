import type { Transcript } from '#contract/model/transcript.ts'
import type { SessionData } from '../session-data.ts'

export type WhyNotAgain = 'no-engine' | 'no-sound' | 'own' | 'corrected' | 'note'

/** Why a recording is not written out once more; null where it can be. Nothing a person wrote is ever written over. */
export function whyNotAgain(
  { recording, row }: Pick<SessionData, 'recording' | 'row'>,
  { engine, segments }: Pick<Transcript, 'engine' | 'segments'>,
  speechReady: boolean,
): WhyNotAgain | null {
  if (recording === null || recording.state !== 'finished') return 'no-sound'
  if (!speechReady) return 'no-engine'
  if (engine.name === 'person' || engine.name === 'import') return 'own'
  if (segments.some(({ edited }) => edited)) return 'corrected'
  // Its sentences rest on the turns of this one.
  return row.note === null ? null : 'note'
}
