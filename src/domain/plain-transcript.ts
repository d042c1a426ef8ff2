import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { type KnownSpeaker, speakerRole } from './speaker-roles.ts'

export type PlainTranscript = ReturnType<typeof writePlainTranscript>

type Said = Pick<Transcript, 'speakers' | 'segments'>

const fitting = /^\p{L}[\p{L}\p{M}\d .'’()-]{0,39}$/u
const MAX_WORDS = 4

/**
 * Writes each sentence on its own line after its speaker's label. A sentence of no known speaker gets the label `Unknown voice`
 * if its start looks like a label.
 */
export function writePlainTranscript({ speakers, segments }: Said) {
  const labels = labelsOf(speakers)
  const said = segments.flatMap((segment) =>
    sentencesOf(segment.text.replaceAll(/\s+/g, ' ')).map((sentence) => ({
      segment_id: segment.id,
      speaker_id: segment.speaker_id,
      sentence,
    })),
  )
  const text = said.map(({ speaker_id, sentence }) =>
    withLabel(speaker_id === null ? undefined : labels.get(speaker_id), sentence),
  )
  return { text: text.join('\n'), lines: said.map(({ segment_id, speaker_id }) => ({ segment_id, speaker_id })) }
}

function withLabel(label: string | undefined, sentence: string): string {
  if (label === undefined && !turnPattern.test(sentence)) return sentence
  return `${label ?? 'Unknown voice'}: ${sentence}`
}

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
  return fitting.test(line) && line.split(' ').length <= MAX_WORDS ? line : null
}

/** In "at 5:30" and "http://", the text before the colon is not a label. */
const turnPattern = /^\s*(?:\[[\d:.,\s>-]{1,30}\]\s*)?(\p{L}[\p{L}\p{M}\d .'’()-]{0,39}?)\s*:(?!\/\/)(?:\s+|$)(.*)$/u
const MAX_SEGMENT = 20_000

/** Splits text into segments `s1`, `s2`, and so on, of at most one sentence each. The same text gives the same ids. */
export function readPlainTranscript(text: string, clientNames: readonly string[] = []) {
  const clients = clientNames.map((name) => ({ name, role: 'client' }) as const)
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  let speaker: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const turn = turnPattern.exec(line)
    const label = turn?.[1]?.trim()
    if (label !== undefined && isLabel(label, speakers)) {
      speaker = speakerOf(label, speakers, clients)
      add(turn?.[2] ?? '')
    } else add(line)
  }
  return { speakers: [...speakers.values()], segments }

  function add(said: string): void {
    for (const text of sentencesOf(said)) {
      const id = `s${segments.length + 1}`
      segments.push({ id, speaker_id: speaker, start_ms: null, end_ms: null, text, confidence: null, edited: false })
    }
  }
}

/** The transcript schema allows at most 40 speakers. */
function isLabel(label: string, speakers: ReadonlyMap<string, Speaker>): boolean {
  return label.split(/\s+/).length <= 4 && (speakers.size < 40 || speakers.has(keyOf(label)))
}

function speakerOf(label: string, speakers: Map<string, Speaker>, clients: readonly KnownSpeaker[]): string {
  const key = keyOf(label)
  const known = speakers.get(key)
  if (known) return known.id
  const id = `p${speakers.size + 1}`
  speakers.set(key, { id, label, role: speakerRole(label, clients) })
  return id
}

const keyOf = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(line: string): string[] {
  if (line.trim() === '') return []
  return [...sentences.segment(line)].flatMap(({ segment }) => inPieces(segment.trim())).filter(Boolean)
}

function inPieces(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_SEGMENT) {
    const space = rest.lastIndexOf(' ', MAX_SEGMENT)
    const end = space > MAX_SEGMENT / 2 ? space : MAX_SEGMENT
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...pieces, rest]
}
