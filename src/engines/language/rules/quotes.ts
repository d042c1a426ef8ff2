import { cleanText, escapePattern } from './clean.ts'
import { wordsOf } from '../text/words.ts'
import type { Sentence, Span } from './types.ts'
import { createHash } from 'node:crypto'
import type { Evidence } from '#contract/model/note.ts'
import type { Segment } from '#contract/model/transcript.ts'
import { remember } from '../text/remember.ts'

const lead =
  /^(?:[^\p{L}\p{N}"']*(?:so|and|well|but|um+|uh+|oh|yeah|yes|okay|ok|right|like|ugh|er+m?|erm|hm+|mm+|now|then|anyway|i mean|you know|thanks|god)(?=[\s,.…-])[\s,.…-]+)+/iu
const trail =
  /(?:(?:,\s*(?:like|so|right|really|then)|[\s,]+(?:you know|i mean|yeah|okay|and|but|or|um+|uh+|er+m?|you see))(?=[\s,.;:!?…–—-]|$))*[\s,.;:!…–—-]*$/iu

export const textOf = (span: Span): string => span.sentence.segment.text.slice(span.from, span.to)

export const spanOf = (sentence: Sentence): Span => trimSpan({ sentence, from: sentence.from, to: sentence.to })

export const wholeSpan = (sentence: Sentence): Span => ({ sentence, from: sentence.from, to: sentence.to })

export function trimSpan(span: Span): Span {
  const text = textOf(span)
  const ahead = lead.exec(text)?.[0].length ?? 0
  const body = ahead >= text.trim().length - 1 ? text : text.slice(ahead)
  const from = span.to - body.length
  const behind = trail.exec(body)?.[0].length ?? 0
  const to = behind >= body.length ? span.to : span.to - behind
  const start = from + (/^[\s,.…-]*/.exec(body)?.[0].length ?? 0)
  return { sentence: span.sentence, from: Math.min(start, to - 1), to }
}

const unmarkedQuestion =
  /(?<=\s)(?:(?:what|when|where|why|which \w+|how(?: \w+){0,2})\s+(?:do|did|does|are|were|have|would|can)|(?<!(?:what|when|where|why|how|many|much|long|often|\w+ \w+ing)\s)(?:do|did|have|are|were))\s+(?:you|it|there)\b/gi

const leadIn =
  /^(?:[^,]*\b(?:i|i'm|i'd|i'll|i've|let me)\b[^,]*), (?=(?:have|has|do|does|did|are|were|is|was|would|could|how|what|any|when|where|why|who)\b)/iu
const asking =
  /(?:^|[,\s])(?=(?:have|do|did|are|were|would|could|is|was|how|what|any)\s+(?:you|there|it|that|long|often|many|much|thoughts?)\b)/gi

export function questionSpan(sentence: Sentence): Span {
  const span = spanOf(sentence)
  const mark = /^\s*\?/.exec(sentence.segment.text.slice(span.to, sentence.to))?.[0] ?? ''
  const whole = { ...span, to: span.to + mark.length }
  const text = textOf(whole)
  const startAt = (at: number): Span => ({ ...whole, from: whole.from + at })
  const own = leadIn.exec(text)
  if (own) return startAt(own[0].length)
  const last = /[,.?]/.test(text)
    ? undefined
    : [...text.matchAll(unmarkedQuestion)].findLast((match) => wordsOf(text.slice(0, match.index)).length >= 3)
  if (last) return startAt(last.index)
  if (wordsOf(text).length <= 18) return whole
  const starts = [...text.matchAll(asking)].map((match) => match.index + match[0].length)
  return startAt(starts.find((at) => wordsOf(text.slice(at)).length <= 18) ?? 0)
}

export function isCleanQuote(span: Span): boolean {
  const text = textOf(span)
  return wordsOf(text).join(' ') === wordsOf(cleanText(text)).join(' ') && !/[–—]|-\s|…|\.\.\./.test(text)
}

export const lengthOf = (span: Span): number => wordsOf(textOf(span)).length

export function quotable(sentence: Sentence, limit: number, wanted: RegExp | null): Span | null {
  const whole = spanOf(sentence)
  if (lengthOf(whole) <= limit && isCleanQuote(whole)) return whole
  const clauses = clausesOf(whole).filter((clause) => {
    const length = lengthOf(clause)
    return length >= 2 && length <= limit && isCleanQuote(clause)
  })
  const fitting = wanted ? clauses.filter((clause) => wanted.test(textOf(clause))) : clauses
  return fitting.reduce<Span | null>(
    (found, clause) => (found === null || lengthOf(clause) > lengthOf(found) ? clause : found),
    null,
  )
}

function clausesOf(span: Span): Span[] {
  const text = textOf(span)
  const edges = [0]
  for (const match of text.matchAll(/[,;.?!–—-]+\s+|\s+(?=(?:and|but|so|because|then|which)\s)/gi))
    edges.push(match.index + match[0].length)
  edges.push(text.length)
  const clauses: Span[] = []
  for (let first = 0; first < edges.length - 1; first += 1) {
    for (let last = first + 1; last <= Math.min(first + 3, edges.length - 1); last += 1) {
      clauses.push(
        trimSpan({ sentence: span.sentence, from: span.from + (edges[first] ?? 0), to: span.from + (edges[last] ?? 0) }),
      )
    }
  }
  return clauses
}

export const quoted = (span: Span): string => `"${textOf(span)}"`

export function listOfQuotes(spans: readonly Span[]): string {
  const runs: Span[] = []
  for (const span of spans) {
    const last = runs.at(-1)
    if (last && adjoins(last, span)) runs[runs.length - 1] = { ...last, to: span.to }
    else runs.push(span)
  }
  return runs.map(quoted).join(runs.length === 2 ? ' and ' : ', ')
}

export function adjoins(first: Span, second: Span): boolean {
  const { segment } = first.sentence
  if (segment !== second.sentence.segment || second.from < first.to) return false
  const between = segment.text.slice(first.to, second.from)
  return (
    /^[\s.,;:!?]*(?:(?:and|but|so)\s+)?$/i.test(between) &&
    (between.trim() !== '' || /[.?!,]$/.test(textOf(first))) &&
    wordsOf(segment.text.slice(first.from, second.to)).length <= 34
  )
}

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

export function evidenceAt(segment: Segment, place: Pick<Span, 'from' | 'to'>): Evidence {
  const quote = segment.text.slice(place.from, place.to).trim()
  return { segment_id: segment.id, ...timesOf(segment, place), quote, quote_sha256: null }
}

function timesOf(segment: Segment, span: Pick<Span, 'from' | 'to'>): { start_ms: number | null; end_ms: number | null } {
  const inside = wordsPlaced(segment).filter((word) => word.from < span.to && span.from < word.to)
  const [first] = inside
  const last = inside.at(-1)
  return { start_ms: first?.start_ms ?? segment.start_ms, end_ms: last?.end_ms ?? segment.end_ms }
}

export const wordsPlaced = remember((segment: Segment) => {
  let cursor = 0
  return (segment.words ?? []).flatMap(({ text, start_ms, end_ms }) => {
    const bare = text.trim()
    const found = bare === '' ? -1 : segment.text.slice(cursor).search(new RegExp(escapePattern(bare), 'i'))
    if (found < 0) return []
    const from = cursor + found
    cursor = from + bare.length
    return [{ from, to: cursor, start_ms, end_ms }]
  })
})

export function contentId(prefix: string, text: string, evidence: readonly Evidence[]): string {
  const hash = createHash('sha256').update(text)
  for (const each of evidence) hash.update(`\u0000${each.segment_id}\u0000${each.quote ?? ''}`)
  return `${prefix}_${hash.digest('hex').slice(0, 20)}`
}
