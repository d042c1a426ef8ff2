import type { Segment, Speaker, SpeakerRole, Transcript } from '#contract/model/transcript.ts'
import { foldName } from '#domain/names.ts'
import { speakerRole } from '#domain/speaker-roles.ts'
import type { Participant } from '#contract/model/session.ts'
import { readSrt, readVtt, MAX_TURN, MAX_TURNS, type Turn, unreadable, speakingLabels, splitLabel, readJson } from './formats.ts'

type ImportedTranscript = Pick<Transcript, 'speakers' | 'segments' | 'duration_ms'>

type Format = 'txt' | 'vtt' | 'srt' | 'json'
const MAX_SPEAKERS = 40

export function importTranscript(fileName: string, content: Uint8Array, people: KnownPeople): ImportedTranscript {
  const text = decodeText(content)
  const format = formatOf(fileName, text)
  if (format === 'json') {
    const json = readJson(text)
    if ('own' in json) return finish(json.own.speakers, json.own.segments)
    return fromTurns('turns' in json ? json.turns : readPlainText(json.text), people)
  }
  return fromTurns(format === 'vtt' ? readVtt(text) : format === 'srt' ? readSrt(text) : readPlainText(text), people)
}

function formatOf(fileName: string, text: string): Format {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (ending === 'json' || ending === 'vtt' || ending === 'srt') return ending
  if (ending !== undefined && !['txt', 'text', 'md'].includes(ending))
    throw unreadable('Only txt, vtt, srt and json files can be read.')
  if (/^\uFEFF?WEBVTT(?:\s|$)/.test(text)) return 'vtt'
  if (/^\uFEFF?\s*\d+\n\d{1,2}:\d{2}:\d{2}[.,]\d{3} -->/.test(text)) return 'srt'
  return 'txt'
}

function fromTurns(turns: readonly Turn[], people: KnownPeople): ImportedTranscript {
  const labels = new Map(
    turns.flatMap((turn) => (turn.label === null ? [] : [[keyOf(turn.label), turn.label] as const])).reverse(),
  )
  const speakers = [...labels.values()].reverse().map((label, index): Speaker => {
    return { id: `s${index + 1}`, label: label.slice(0, 200), role: roleOf(label, people) }
  })
  const idOf = new Map(speakers.map((speaker) => [keyOf(speaker.label), speaker.id]))
  const segments = turns
    .filter((turn) => turn.text !== '')
    .map(({ label, start_ms, end_ms, text }, index): Segment => {
      const speaker_id = label === null ? null : (idOf.get(keyOf(label.slice(0, 200))) ?? null)
      return { id: `g${index + 1}`, speaker_id, start_ms, end_ms, text, confidence: null, edited: false }
    })
  return finish(speakers, segments)
}

const keyOf = (label: string): string => foldName(label) || label

function finish(speakers: Speaker[], segments: Segment[]): ImportedTranscript {
  if (segments.every((segment) => segment.text.trim() === '')) throw unreadable('There are no words in this file.')
  if (segments.length > MAX_TURNS) throw unreadable(`There are more than ${MAX_TURNS} turns in this file.`)
  if (speakers.length > MAX_SPEAKERS) throw unreadable(`More than ${MAX_SPEAKERS} people speak in this file.`)
  const long = segments.findIndex((segment) => segment.text.length > MAX_TURN)
  if (long >= 0) throw unreadable(`Turn ${long + 1} is longer than ${MAX_TURN} characters.`)
  if (new Set(segments.map((segment) => segment.id)).size < segments.length) throw unreadable('Two turns have the same id.')
  const known = new Set(speakers.map((speaker) => speaker.id))
  if (segments.some((segment) => segment.speaker_id !== null && !known.has(segment.speaker_id))) {
    throw unreadable('A turn names a speaker who is not listed.')
  }
  const backwards = segments.findIndex(({ start_ms, end_ms }) => start_ms !== null && end_ms !== null && end_ms < start_ms)
  if (backwards >= 0) throw unreadable(`Turn ${backwards + 1} ends before it begins.`)
  const ends = segments.flatMap((segment) => segment.end_ms ?? [])
  return { speakers, segments, duration_ms: ends.length === 0 ? null : ends.reduce((most, end) => Math.max(most, end), 0) }
}

const MAX_BYTES = 8 * 1024 * 1024

function decodeText(content: Uint8Array): string {
  if (content.length > MAX_BYTES) throw unreadable('The file is larger than 8 MB.')
  if (content.length === 0) throw unreadable('The file is empty.')
  const encoding = encodingOf(content)
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    throw unreadable('The file is not text in UTF-8 or UTF-16.')
  }
  if (text.includes('\0')) throw unreadable('The file is not a text file.')
  return text.replace(/\r\n?/g, '\n')
}

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

function readPlainText(text: string): Turn[] {
  const lines = text.split('\n').map(splitTime)
  const turns = isDialogue(lines.map((line) => line.rest)) ? readDialogue(lines) : readParagraphs(lines)
  const spoken = turns.filter((turn) => turn.text !== '')
  if (spoken.length === 0) throw unreadable('There are no words in this file.')
  return spoken
}

interface TimedLine {
  readonly start_ms: number | null
  readonly rest: string
}

function splitTime(line: string): TimedLine {
  const match = /^\s*[[(](?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?:\.\d+)?[\])]\s*(.*)$/.exec(line)
  if (match === null) return { start_ms: null, rest: line }
  const seconds = (Number(match[1] ?? 0) * 60 + Number(match[2])) * 60 + Number(match[3])
  return { start_ms: seconds * 1000, rest: match[4]! }
}

function isDialogue(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '')
  const named = written.filter((line) => splitLabel(line).label !== null)
  return named.length >= 2 || (written.length === 1 && named.length === 1)
}

function readDialogue(lines: readonly TimedLine[]): Turn[] {
  const people = speakingLabels(lines.flatMap((line) => splitLabel(line.rest).label ?? []))
  const turns: Turn[] = []
  for (const line of lines) {
    const { label, text } = splitLabel(line.rest)
    const last = turns.at(-1)
    if (label !== null && people.has(label)) {
      turns.push({ label, start_ms: line.start_ms, end_ms: null, text })
    } else if (line.rest.trim() !== '') {
      const words = line.rest.trim()
      if (last === undefined || line.start_ms !== null)
        turns.push({ label: last?.label ?? null, start_ms: line.start_ms, end_ms: null, text: words })
      else turns[turns.length - 1] = { ...last, text: `${last.text} ${words}`.trim() }
    }
  }
  return turns
}

function readParagraphs(lines: readonly TimedLine[]): Turn[] {
  const turns: Turn[] = []
  let isOpen = false
  for (const line of lines) {
    const text = line.rest.trim()
    const last = turns.at(-1)
    if (text === '') isOpen = false
    else if (isOpen && last !== undefined && line.start_ms === null)
      turns[turns.length - 1] = { ...last, text: `${last.text} ${text}` }
    else turns.push({ label: null, start_ms: line.start_ms, end_ms: null, text })
    if (text !== '') isOpen = true
  }
  return turns
}

interface KnownPeople {
  readonly therapist: string
  readonly client: { readonly display_name: string; readonly given_name: string | null; readonly family_name: string | null }
  readonly participants: readonly Participant[]
}

function roleOf(label: string, { therapist, client, participants }: KnownPeople): SpeakerRole {
  const { display_name, given_name, family_name } = client
  return speakerRole(label, [
    { name: therapist, role: 'therapist' },
    { name: `${given_name ?? ''} ${family_name ?? ''}`, role: 'client' },
    { name: display_name, role: 'client' },
    ...participants.map(({ name, role }) => ({ name, role: role === 'client' ? role : ('other' as const) })),
  ])
}
