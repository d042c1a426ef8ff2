import type { SpeakerRole, Transcript } from '#contract/model/transcript.ts'
import { foldName } from './names.ts'

const roleLabels: Readonly<Record<Exclude<SpeakerRole, 'unknown'>, string>> = {
  therapist: 'therapist th t counselor counsellor clinician psychologist psychotherapist psychiatrist doctor dr',
  client: 'client cl c patient pt p',
  other: 'partner spouse husband wife mother father mom dad parent guardian interpreter',
}
const roleOfLabel = new Map(
  (Object.entries(roleLabels) as [SpeakerRole, string][]).flatMap(([role, labels]) =>
    labels.split(' ').map((label) => [label, role] as const),
  ),
)

export interface KnownSpeaker {
  readonly name: string
  readonly role: SpeakerRole
}

/**
 * The role that the label states, or else the role of the known people whose name the label fits; `unknown` if no one fits or
 * if their roles differ.
 */
export function speakerRole(label: string, known: readonly KnownSpeaker[]): SpeakerRole {
  const said = roleOfLabel.get(foldName(label))
  if (said !== undefined) return said
  const roles = new Set(known.filter((speaker) => isPartOfName(label, speaker.name)).map(({ role }) => role))
  return roles.size === 1 ? [...roles][0]! : 'unknown'
}

export function isPartOfName(part: string, full: string): boolean {
  const name = foldName(part)
  const words = foldName(full).split(' ').filter(Boolean)
  if (name === '' || words.length === 0) return false
  let from = 0
  const isPart = name.split(' ').every((word) => {
    const at = words.indexOf(word, from)
    from = at + 1
    return at >= 0
  })
  return isPart || (words.length > 1 && name.replaceAll(' ', '') === words.map((word) => word[0]).join(''))
}

/** How many segments have no speaker, or one whose role is unknown. */
export function unknownVoices({ speakers, segments }: Pick<Transcript, 'speakers' | 'segments'>): number {
  const known = new Set(speakers.filter(({ role }) => role !== 'unknown').map(({ id }) => id))
  return segments.filter(({ speaker_id }) => speaker_id === null || !known.has(speaker_id)).length
}

const interviewPhrases =
  /\b(?:tell me|how long|any other|sounds like|on a scale|last session|last time|how (?:was|did|do|are) (?:that|you|it)|what (?:was|would|do you))\b/gi

export function interviewerScore(turns: readonly { readonly text: string; readonly isAsking: boolean }[]): number {
  const text = turns.map((turn) => turn.text).join(' ')
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? []
  const hundreds = Math.max(words.length, 1) / 100
  const asks = turns.filter(({ isAsking }) => isAsking).length / Math.max(turns.length, 1)
  const you = words.filter((word) => /^(?:you|your|you're|you've)$/.test(word)).length
  const own = words.filter((word) => /^(?:i|my|me|i'm|i've)$/.test(word)).length
  const phrases = text.match(interviewPhrases)?.length ?? 0
  return 1.2 * asks + (0.25 * (you - own) + 0.8 * phrases) / hundreds
}
