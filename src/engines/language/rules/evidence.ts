import { createHash } from 'node:crypto'
import type { Evidence } from '#contract/model/note.ts'
import type { Segment } from '#contract/model/transcript.ts'
import { escapePattern } from './clean.ts'
import { textOf } from './quotes.ts'
import type { Span } from './types.ts'

/** A quotation is cut from the raw text, so it is found word for word in the segment it names. */
export function evidenceOf(spans: readonly Span[]): Evidence[] {
  const seen = new Set<string>()
  const evidence: Evidence[] = []
  for (const span of spans) {
    const quote = textOf(span).trim()
    const { segment } = span.sentence
    const key = `${segment.id}\u0000${quote}`
    if (quote === '' || seen.has(key)) continue
    seen.add(key)
    evidence.push(evidenceAt(segment, span))
    if (evidence.length === 50) break
  }
  return evidence
}

/** Where words stand in a segment: `from` and `to` are offsets in its raw text. */
export function evidenceAt(segment: Segment, place: Pick<Span, 'from' | 'to'>): Evidence {
  const quote = segment.text.slice(place.from, place.to).trim()
  return { segment_id: segment.id, ...timesOf(segment, place), quote, quote_sha256: null }
}

interface Placed {
  readonly from: number
  readonly to: number
  readonly start_ms: number
  readonly end_ms: number
}

const placedWords = new WeakMap<Segment, readonly Placed[]>()

function timesOf(segment: Segment, span: Pick<Span, 'from' | 'to'>): { start_ms: number | null; end_ms: number | null } {
  const inside = wordsPlaced(segment).filter((word) => word.from < span.to && span.from < word.to)
  const [first] = inside
  const last = inside.at(-1)
  return { start_ms: first?.start_ms ?? segment.start_ms, end_ms: last?.end_ms ?? segment.end_ms }
}

function wordsPlaced(segment: Segment): readonly Placed[] {
  const known = placedWords.get(segment)
  if (known) return known
  const placed: Placed[] = []
  let cursor = 0
  for (const word of segment.words ?? []) {
    const bare = word.text.trim()
    const found = bare === '' ? -1 : segment.text.slice(cursor).search(new RegExp(escapePattern(bare), 'i'))
    if (found < 0) continue
    const from = cursor + found
    placed.push({ from, to: from + bare.length, start_ms: word.start_ms, end_ms: word.end_ms })
    cursor = from + bare.length
  }
  placedWords.set(segment, placed)
  return placed
}

/** The same words from the same place have the same id in every run. */
export function contentId(prefix: string, text: string, evidence: readonly Evidence[]): string {
  const hash = createHash('sha256').update(text)
  for (const each of evidence) hash.update(`\u0000${each.segment_id}\u0000${each.quote ?? ''}`)
  return `${prefix}_${hash.digest('hex').slice(0, 20)}`
}
