/** What to tell while a recording is in trouble; the codes come from the recorder and the bridge. */
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

export function troubleKind(error: string | null, isConnected: boolean, isRunning: boolean): TroubleKind | null {
  if (!isConnected && isRunning) return 'restarting'
  // The consent gate says this itself, and better.
  if (error === null || error === 'consent-missing') return null
  if (error === 'service-unreachable' || error === 'recording-not-open') return isRunning ? 'restarting' : null
  if (error === 'vault-locked') return 'locked'
  return troubleKinds.find((kind) => kind === error) ?? 'other'
}
