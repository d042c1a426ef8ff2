import type { Evidence } from '#contract/model/note.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import type { PlainTranscript } from '#domain/plain-transcript.ts'

/**
 * Locates a verbatim quote in the local transcript; null if uncertain. Among several matches, the service's line number (`s1`,
 * `s2`, ...) decides.
 */
export type Place = (evidence: Pick<Evidence, 'segment_id' | 'quote'>) => Evidence | null

export function placeIn({ segments }: Pick<Transcript, 'segments'>, { lines }: PlainTranscript): Place {
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  const counted = (id: string): Segment | undefined => {
    const line = /^s(\d{1,6})$/.exec(id)
    return line === null ? undefined : byId.get(lines[Number(line[1]) - 1]?.segment_id ?? '')
  }
  return ({ segment_id, quote }) => {
    const pattern = patternOf(quote)
    if (pattern === null) return null
    const hinted = counted(segment_id)
    const found = hinted === undefined ? undefined : pattern.exec(hinted.text)?.[0]
    if (hinted !== undefined && found !== undefined) return evidenceIn(hinted, found)
    const holding = segments.filter(({ text }) => pattern.test(text))
    const [only] = holding
    return only !== undefined && holding.length === 1 ? evidenceIn(only, pattern.exec(only.text)![0]) : null
  }
}

export function isSaidIn({ segments }: Pick<Transcript, 'segments'>): (words: string) => boolean {
  return (words) => {
    const pattern = patternOf(words)
    return pattern === null || segments.some(({ text }) => pattern.test(text))
  }
}

function patternOf(quote: string | null): RegExp | null {
  const words = (quote ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return null
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'u')
}

function evidenceIn({ id, start_ms, end_ms }: Segment, quote: string): Evidence {
  return { segment_id: id, start_ms, end_ms, quote, quote_sha256: null }
}
