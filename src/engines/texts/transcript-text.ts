import type { Segment, Speaker, SpeakerRole } from '#contract/model/transcript.ts'

/** Who is known to be in the room, for turning the names of a plain transcript into roles. */
export interface KnownNames {
  readonly client?: readonly string[]
  readonly therapist?: readonly string[]
}

/** What people call the two roles; anything else is a name that says nothing about who they are. */
const roleWords: Readonly<Record<string, SpeakerRole>> = {
  therapist: 'therapist',
  counselor: 'therapist',
  counsellor: 'therapist',
  clinician: 'therapist',
  psychologist: 'therapist',
  psychotherapist: 'therapist',
  psychiatrist: 'therapist',
  t: 'therapist',
  client: 'client',
  patient: 'client',
  c: 'client',
}
/** A label is short, starts with a letter and has no sentence before its colon; "at 5:30" and "http://" are not labels. */
const turnPattern = /^\s*(?:\[[\d:.,\s>-]{1,30}\]\s*)?(\p{L}[\p{L}\p{M}\d .'’()-]{0,39}?)\s*:(?!\/\/)(?:\s+|$)(.*)$/u
/** Characters a segment may have by the contract. */
const MAX_SEGMENT = 20_000

/**
 * Plain text as segments: a line is one or more sentences, each a segment `s1`, `s2`, ...; `Name:` starts a turn that
 * lasts until the next. The same text always gives the same segments. Times are unknown.
 */
export function readTranscriptText(text: string, names: KnownNames = {}): { speakers: Speaker[]; segments: Segment[] } {
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  let speaker: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const turn = turnPattern.exec(line)
    const label = turn?.[1]?.trim()
    if (label !== undefined && isLabel(label, speakers)) {
      speaker = speakerOf(label, speakers, names)
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

/** "Honestly: I am tired" is no turn of somebody called Honestly, as far as can be told: labels are at most four words. */
function isLabel(label: string, speakers: ReadonlyMap<string, Speaker>): boolean {
  return label.split(/\s+/).length <= 4 && (speakers.size < 40 || speakers.has(keyOf(label)))
}

function speakerOf(label: string, speakers: Map<string, Speaker>, names: KnownNames): string {
  const key = keyOf(label)
  const known = speakers.get(key)
  if (known) return known.id
  const id = `p${speakers.size + 1}`
  speakers.set(key, { id, label, role: roleOf(key, names) })
  return id
}

function roleOf(key: string, { client = [], therapist = [] }: KnownNames): SpeakerRole {
  const word = roleWords[key]
  if (word) return word
  if (client.some((name) => isSame(name, key))) return 'client'
  if (therapist.some((name) => isSame(name, key))) return 'therapist'
  return 'unknown'
}

/** "Ana" and "Ana Lopez" are the same person where one of them is meant. */
function isSame(name: string, key: string): boolean {
  const whole = keyOf(name)
  return whole !== '' && (whole === key || whole.startsWith(`${key} `))
}

const keyOf = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(line: string): string[] {
  // Most of what is not words is blank lines, and a segmenter costs far more than a look.
  if (line.trim() === '') return []
  return [...sentences.segment(line)].flatMap(({ segment }) => inPieces(segment.trim())).filter(Boolean)
}

/** A sentence longer than a segment may be becomes several, cut at a space where one is near. */
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
