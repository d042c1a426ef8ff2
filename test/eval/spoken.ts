import type { Segment, Speaker, SpeakerRole } from '#contract/model/transcript.ts'
import { readRoles } from '#engines/language/rules/people.ts'
import { readRoom } from '#engines/language/rules/room.ts'

export interface Spoken {
  readonly speakers: readonly Speaker[]
  readonly segments: readonly Segment[]
}

const tagged = /^\s*(?:\[([^\]\n]{1,40})\]\s*:?|([\p{Lu}][\p{L}\p{N}_.' -]{0,30}?):)\s*(.*)$/u
const clinician =
  /^(?:doctor|dr|physician|clinician|provider|nurse|therapist|counsell?or|psychologist|psychiatrist|interviewer|t|d)\b/i
const patient = /^(?:patient|client|p|c)$/i

/** "[doctor] ..." or "Name: ..." lines; a line without a tag goes on with the one before. Empty where nobody is named. */
export function readDialogue(text: string): Spoken {
  const lines: { tag: string; text: string }[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    const match = tagged.exec(line)
    const last = lines.at(-1)
    if (match) lines.push({ tag: (match[1] ?? match[2] ?? '').trim(), text: (match[3] ?? '').trim() })
    else if (last && line.trim() !== '') last.text = `${last.text} ${line.trim()}`.trim()
  }
  const spoken = lines.filter((line) => line.text !== '')
  const tags = [...new Set(spoken.map((line) => line.tag))]
  const segments = spoken.map((line, index) => ({
    id: `line-${index}`,
    speaker_id: line.tag,
    start_ms: null,
    end_ms: null,
    text: line.text,
    confidence: null,
    edited: false,
  }))
  return { speakers: rolesOf(tags, segments), segments }
}

function rolesOf(tags: readonly string[], segments: readonly Segment[]): Speaker[] {
  const speakers = tags.map((tag) => ({ id: tag, label: tag.replaceAll('_', ' '), role: roleOf(tag) }))
  const named = speakers.filter((speaker) => speaker.role === 'unknown')
  if (named.length === 0) return speakers
  const others = speakers.filter((speaker) => speaker.role !== 'unknown').map((speaker) => speaker.role)
  if (named.length < speakers.length)
    return speakers.map((speaker) =>
      speaker.role === 'unknown' ? { ...speaker, role: others.includes('client') ? 'other' : 'client' } : speaker,
    )
  const reading = readRoles(readRoom({ speakers, segments, client: null }))
  const likely = reading.kind === 'unknown' ? reading.likely : null
  if (likely === null) return speakers
  return speakers.map((speaker) => ({
    ...speaker,
    role: speaker.label === likely || speaker.label.startsWith(`${likely} `) ? 'therapist' : 'client',
  }))
}

function roleOf(tag: string): SpeakerRole {
  if (clinician.test(tag)) return 'therapist'
  if (patient.test(tag)) return 'client'
  return /guest|family|mother|father|parent|partner|spouse|caregiver/i.test(tag) ? 'other' : 'unknown'
}
