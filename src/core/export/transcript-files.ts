import type { Transcript } from '#contract/model/transcript.ts'
import { AppError } from '#contract/errors.ts'
import { clean, cleanLine } from './plain.ts'

type Segment = Transcript['segments'][number]

export function transcriptText(transcript: Transcript): string {
  const name = namer(transcript)
  const lines = transcript.segments.map((segment) => {
    const time = segment.start_ms === null ? '' : `[${clockOf(segment.start_ms).slice(0, 8)}] `
    return `${time}${name(segment)}: ${cleanLine(segment.text)}`
  })
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * WebVTT (W3C), one cue a segment with a voice span. A segment without times among others that have them stands as a
 * comment where it was said: nothing is left out, and no time is made up.
 */
export function transcriptVtt(transcript: Transcript): string {
  if (transcript.segments.length > 0 && transcript.segments.every(({ start_ms }) => start_ms === null)) {
    throw new AppError(
      'validation-failed',
      'This transcript has no times, and WebVTT cannot be written without. Take txt or json.',
    )
  }
  const name = namer(transcript)
  const segments = inTime(transcript.segments)
  const blocks = segments.map((segment, index) => {
    const text = escapeCue(cleanLine(segment.text))
    const voice = escapeCue(name(segment))
    if (segment.start_ms === null) return `NOTE ${voice}: ${text}`
    // Where the engine gave no end, the cue lasts until something else is said; it must last.
    const next = segments.slice(index + 1).find(({ start_ms }) => start_ms !== null)?.start_ms ?? transcript.duration_ms ?? 0
    const end = Math.max(segment.end_ms ?? next, segment.start_ms + 1)
    return `${clockOf(segment.start_ms)} --> ${clockOf(end)}\n<v ${voice}>${text}</v>`
  })
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`
}

export function transcriptJson(transcript: Transcript): string {
  return `${JSON.stringify(transcript, null, 2)}\n`
}

/** Cues must start in order; one without a time stays behind the one it followed. */
function inTime(segments: readonly Segment[]): Segment[] {
  let last = 0
  const keyed = segments.map((segment) => ({ segment, at: (last = segment.start_ms ?? last) }))
  return keyed.toSorted((a, b) => a.at - b.at).map(({ segment }) => segment)
}

function namer(transcript: Transcript): (segment: Segment) => string {
  const labels = new Map(transcript.speakers.map(({ id, label }) => [id, clean(label)]))
  return ({ speaker_id }) => cleanLine(labels.get(speaker_id ?? '') ?? '') || 'Speaker'
}

function escapeCue(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** hh:mm:ss.mmm; hours grow as they must. */
function clockOf(milliseconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const rest = String(milliseconds % 1000).padStart(3, '0')
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}.${rest}`
}
