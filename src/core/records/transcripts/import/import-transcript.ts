import type { Segment, Speaker } from '#contract/model/transcript.ts'
import { foldName } from '#domain/names.ts'
import { readSrt, readVtt } from './captions.ts'
import { decodeText } from './decode-text.ts'
import { readJson } from './json.ts'
import { readPlainText } from './plain-text.ts'
import { type KnownPeople, roleOf } from './roles.ts'
import { longestTurn, mostTurns, type Turn, unreadable } from './turns.ts'

export interface ImportedTranscript {
  readonly speakers: Speaker[]
  readonly segments: Segment[]
  readonly duration_ms: number | null
}

type Format = 'txt' | 'vtt' | 'srt' | 'json'
const mostSpeakers = 40

/** @throws AppError `import-unreadable`, its detail naming the place and the fault */
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

/** By the name's ending, unless the content says plainly that it is something else. */
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
    .map((turn, index): Segment => ({
      id: `g${index + 1}`,
      speaker_id: turn.label === null ? null : (idOf.get(keyOf(turn.label.slice(0, 200))) ?? null),
      start_ms: turn.start_ms,
      end_ms: turn.end_ms,
      text: turn.text,
      confidence: null,
      edited: false,
    }))
  return finish(speakers, segments)
}

/** `T` and `t`, `Jo` and `JO` are one person. */
function keyOf(label: string): string {
  return foldName(label) || label
}

function finish(speakers: Speaker[], segments: Segment[]): ImportedTranscript {
  if (segments.every((segment) => segment.text.trim() === '')) throw unreadable('There are no words in this file.')
  if (segments.length > mostTurns) throw unreadable(`There are more than ${mostTurns} turns in this file.`)
  if (speakers.length > mostSpeakers) throw unreadable(`More than ${mostSpeakers} people speak in this file.`)
  const long = segments.findIndex((segment) => segment.text.length > longestTurn)
  if (long >= 0) throw unreadable(`Turn ${long + 1} is longer than ${longestTurn} characters.`)
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
