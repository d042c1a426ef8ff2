export const troubleKinds = [
  'microphone-denied',
  'microphone-missing',
  'microphone-lost',
  'disk-full',
  'disk-failed',
  'restarting',
  'locked',
  'other',
] as const
export type TroubleKind = (typeof troubleKinds)[number]

/** True if the microphone was lost during a recording. Saved sound is safe, and any microphone can resume. */
export function isCutOff(kind: TroubleKind, hasRecording: boolean): kind is 'microphone-denied' | 'microphone-missing' {
  return hasRecording && (kind === 'microphone-denied' || kind === 'microphone-missing')
}

export function troubleKind(error: string | null, isConnected: boolean, isRunning: boolean): TroubleKind | null {
  if (!isConnected && isRunning) return 'restarting'
  // The page shows missing consent in place of the record button.
  if (error === null || error === 'consent-missing') return null
  if (error === 'service-unreachable' || error === 'recording-not-open') return isRunning ? 'restarting' : null
  if (error === 'vault-locked') return 'locked'
  return troubleKinds.find((kind) => kind === error) ?? 'other'
}
