import type { Evidence, Statement } from '#contract/model/note.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'

export type Moment = ReturnType<typeof momentOf>

export function moments(evidence: readonly Evidence[], transcript: Pick<Transcript, 'segments'> | null): Moment[] {
  if (transcript === null) return []
  const places = Map.groupBy(evidence, ({ segment_id }) => transcript.segments.findIndex(({ id }) => id === segment_id))
  places.delete(-1)
  return runs([...places.keys()].toSorted((a, b) => a - b)).map((indexes) => momentOf(indexes, places, transcript.segments))
}

function momentOf(indexes: readonly number[], places: ReadonlyMap<number, Evidence[]>, segments: readonly Segment[]) {
  const first = indexes[0] ?? 0
  const before = segments[first - 1]
  const quoted = indexes.flatMap((index) => {
    const segment = segments[index]
    if (segment === undefined) return []
    const quotes = (places.get(index) ?? []).flatMap((item) => (item.quote === null ? [] : [item.quote]))
    return [{ segment, isContext: false, parts: markQuotes(segment.text, quotes) }]
  })
  const context =
    before === undefined ? [] : [{ segment: before, isContext: true, parts: [{ text: before.text, marked: false }] }]
  const all = indexes.flatMap((index) => places.get(index) ?? [])
  const starts = all.flatMap(({ start_ms }) => start_ms ?? [])
  const ends = all.flatMap(({ end_ms }) => end_ms ?? [])
  return {
    key: String(first),
    start_ms: starts.length > 0 ? Math.min(...starts) : (segments[first]?.start_ms ?? null),
    end_ms: ends.length > 0 ? Math.max(...ends) : (segments[indexes.at(-1) ?? first]?.end_ms ?? null),
    turns: [...context, ...quoted],
  }
}

export function markQuotes(text: string, quotes: readonly string[]) {
  const spans = quotes
    .map((quote) => ({ from: text.indexOf(quote), to: text.indexOf(quote) + quote.length }))
    .filter((span) => span.from >= 0 && span.to > span.from)
    .toSorted((a, b) => a.from - b.from)
  const parts: { readonly text: string; readonly marked: boolean }[] = []
  let at = 0
  for (const span of spans) {
    if (span.to <= at) continue
    const from = Math.max(span.from, at)
    if (from > at) parts.push({ text: text.slice(at, from), marked: false })
    parts.push({ text: text.slice(from, span.to), marked: true })
    at = span.to
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at), marked: false })
  return parts
}

export type EvidenceKind = 'quote' | 'reworded' | 'own' | 'none'

export function evidenceKind(statement: Pick<Statement, 'support' | 'evidence'>): EvidenceKind {
  if (statement.support === 'clinician_entered') return 'own'
  if (statement.evidence.length === 0) return 'none'
  return statement.support === 'stated' ? 'quote' : 'reworded'
}

export function isSourceErased(evidence: readonly Evidence[]): boolean {
  return evidence.length > 0 && evidence.every((item) => item.quote === null)
}

export const isSourceMissing = (evidence: readonly Evidence[], found: readonly Moment[]): boolean =>
  evidence.length > 0 && found.length === 0

export function firstMoment(evidence: readonly Evidence[]): { start_ms: number; end_ms: number } | null {
  const timed = evidence.flatMap(({ start_ms, end_ms }) =>
    start_ms === null ? [] : { start_ms, end_ms: end_ms ?? start_ms + 5000 },
  )
  return timed.toSorted((a, b) => a.start_ms - b.start_ms)[0] ?? null
}

function runs(sorted: readonly number[]): number[][] {
  const found: number[][] = []
  for (const index of sorted) {
    const run = found.at(-1)
    if (run !== undefined && index - (run.at(-1) ?? index) <= 1) run.push(index)
    else found.push([index])
  }
  return found
}
