import type { Speaker, Transcript } from '#contract/model/transcript.ts'

/** A transcript as a service gets it that takes plain text alone. */
export interface PlainText {
  readonly text: string
  /** Our segment of each line, and who says it. */
  readonly lines: readonly { readonly segment_id: string; readonly speaker_id: string | null }[]
}

type Said = Pick<Transcript, 'speakers' | 'segments'>

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
/** What a reader takes for a name before a colon. */
const fitting = /^\p{L}[\p{L}\p{M}\d .'’()-]{0,39}$/u
const mostWords = 4

/**
 * One sentence a line, each under its speaker's name, so that no word before a colon inside a sentence is taken for
 * another speaker. `Name:` starts a turn (API.md section 4).
 */
export function plainTextOf({ speakers, segments }: Said): PlainText {
  const labels = labelsOf(speakers)
  const said = segments.flatMap((segment) =>
    sentencesOf(segment.text).map((sentence) => ({ segment_id: segment.id, speaker_id: segment.speaker_id, sentence })),
  )
  const text = said.map(({ speaker_id, sentence }) =>
    withLabel(speaker_id === null ? undefined : labels.get(speaker_id), sentence),
  )
  return { text: text.join('\n'), lines: said.map(({ segment_id, speaker_id }) => ({ segment_id, speaker_id })) }
}

const withLabel = (label: string | undefined, sentence: string): string =>
  label === undefined ? sentence : `${label}: ${sentence}`

function sentencesOf(text: string): string[] {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return [...sentences.segment(line)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== '')
}

/** Roles before names: who is in the room as a service has to know it. Each label is one speaker's. */
function labelsOf(speakers: readonly Speaker[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    speakers.map((speaker, index) => {
      const free = [roleLabel(speaker, speakers), ownLabel(speaker)].find(
        (label) => label !== null && !taken.has(label.toLowerCase()),
      )
      const label = free ?? `Speaker ${index + 1}`
      taken.add(label.toLowerCase())
      return [speaker.id, label]
    }),
  )
}

function roleLabel({ role }: Speaker, speakers: readonly Speaker[]): string | null {
  if (role !== 'therapist' && role !== 'client') return null
  if (speakers.filter((other) => other.role === role).length > 1) return null
  return role === 'therapist' ? 'Therapist' : 'Client'
}

function ownLabel({ label }: Speaker): string | null {
  const line = label.replaceAll(/\s+/g, ' ').trim()
  return fitting.test(line) && line.split(' ').length <= mostWords ? line : null
}
