import type { Evidence } from '#contract/model/note.ts'
import type { Segment } from '#contract/model/transcript.ts'
import type { Room } from './types.ts'
import { plain, runOf } from './words.ts'

/** Evidence that stands word for word in the segment it names, within its times; mended where only one place is meant, else left out. */
export function checkedEvidence(room: Room, evidence: readonly Evidence[]): Evidence[] {
  const kept: Evidence[] = []
  for (const each of evidence) {
    const found = placed(room, each)
    if (found !== null && !kept.some((other) => other.segment_id === found.segment_id && other.quote === found.quote))
      kept.push(found)
  }
  return kept
}

function placed(room: Room, each: Evidence): Evidence | null {
  const at = room.places.get(each.segment_id)
  const own = at === undefined ? undefined : room.segments[at]
  if (each.quote === null) return own === undefined ? null : timed(each, own)
  const quote = each.quote.trim()
  if (quote === '') return null
  if (own?.text.includes(each.quote)) return timed(each, own)
  const mended = own === undefined ? null : rawRun(own.text, quote)
  if (own && mended !== null) return timed({ ...each, quote: mended }, own)
  const others = room.segments.flatMap((segment) => {
    const run = segment.text.includes(quote) ? quote : rawRun(segment.text, quote)
    return run === null ? [] : [{ segment, run }]
  })
  const [only] = others
  if (only === undefined || others.length > 1 || runOf(quote).length < 3) return null
  return timed({ ...each, segment_id: only.segment.id, start_ms: null, end_ms: null, quote: only.run }, only.segment)
}

/** The run of raw text with the same words in the same order, whatever its capitals, stops and quotation marks. */
function rawRun(text: string, quote: string): string | null {
  const words = [...plainSameLength(text).matchAll(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu)]
  const run = runOf(quote)
  if (run.length === 0) return null
  const starts = words.flatMap((_, at) => (run.every((word, place) => words[at + place]?.[0].toLowerCase() === word) ? [at] : []))
  const [start] = starts
  if (start === undefined || starts.length > 1) return null
  const first = words[start]
  const last = words[start + run.length - 1]
  return first && last ? text.slice(first.index, last.index + last[0].length) : null
}

function plainSameLength(text: string): string {
  return text.replaceAll(/[’‘ʼ]/g, "'")
}

/** Times lie within the segment's; otherwise they are the segment's. */
function timed(each: Evidence, segment: Segment): Evidence {
  const { start_ms: from, end_ms: to } = segment
  const isWithin =
    from !== null &&
    to !== null &&
    each.start_ms !== null &&
    each.end_ms !== null &&
    each.start_ms >= from &&
    each.end_ms <= to &&
    each.start_ms <= each.end_ms
  return isWithin ? each : { ...each, start_ms: from, end_ms: to }
}

/** A statement that quotes somebody but cites nothing points to where the quotation stands, if that is one place. */
export function evidenceOfQuotes(room: Room, text: string): Evidence[] {
  return [...plain(text).matchAll(/"([^"]{12,})"/g)].flatMap((match) => {
    const run = runOf(match[1] ?? '')
    const places = room.segments.filter((segment) => rawRun(segment.text, match[1] ?? '') !== null)
    const [only] = places
    if (only === undefined || places.length > 1 || run.length < 3) return []
    const quote = rawRun(only.text, match[1] ?? '')
    return quote === null
      ? []
      : [{ segment_id: only.id, start_ms: only.start_ms, end_ms: only.end_ms, quote, quote_sha256: null }]
  })
}
