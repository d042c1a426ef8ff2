import type { Speaker } from '#contract/model/transcript.ts'

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
