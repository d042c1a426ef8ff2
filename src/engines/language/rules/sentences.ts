import type { Segment } from '#contract/model/transcript.ts'
import { wordsPlaced } from './quotes.ts'
import { lacksVerb } from './labels.ts'
import continuing from './lexicon/continuing.json' with { type: 'json' }
import { type Cut, cutByStops, trimmed } from '../text/sentences.ts'
import { isBaseVerb, isPast } from '../text/verbs.ts'
import { wholeBefore } from '#base/cut-text.ts'

/** In unpunctuated text, a longer pause starts a new sentence. */
const PAUSE_MS = 700
/** In characters. A longer sentence is split. */
const MAX_SENTENCE = 1000
/** In words. In unpunctuated text, a longer clause is split even without a pause. */
const MAX_CLAUSE = 150

export function isUnpunctuated(segments: readonly Segment[]): boolean {
  const long = segments.filter((segment) => segment.text.split(' ').length >= 4)
  if (long.length === 0) return false
  return long.filter((segment) => /[.?!]/.test(segment.text)).length / long.length < 0.3
}

export function cutSentences(segment: Segment, unpunctuated: boolean): Cut[] {
  const isBare = unpunctuated && !/[.?!]\s/.test(segment.text)
  return (isBare ? cutByClauses(segment) : cutByStops(segment.text))
    .flatMap((cut) => cutEndless(segment.text, cut))
    .flatMap((cut) => cutLong(segment.text, cut))
    .filter((cut) => /[\p{L}\p{N}]/u.test(segment.text.slice(cut.from, cut.to)))
}

/** Splits very long sentences, so that the matching time of backtracking patterns grows only linearly with the whole text. */
function cutEndless(text: string, cut: Cut): Cut[] {
  const cuts: Cut[] = []
  let { from } = cut
  while (cut.to - from > MAX_SENTENCE) {
    const space = text.lastIndexOf(' ', from + MAX_SENTENCE)
    const to = space > from + MAX_SENTENCE / 2 ? space : wholeBefore(text, from + MAX_SENTENCE)
    cuts.push(trimmed(text, { from, to }))
    from = to
  }
  return [...cuts, trimmed(text, { from, to: cut.to })]
}

function cutLong(text: string, cut: Cut): Cut[] {
  const body = text.slice(cut.from, cut.to)
  if (body.split(/\s+/).length <= 35) return [cut]
  const pattern = /[,\s]\s*(?=(?:and then|and|but|so|because) (?:i|i'm|i've|he|she|they|we|you|it|my|the)\b)/gi
  const cuts: Cut[] = []
  let from = cut.from
  for (const match of body.matchAll(pattern)) {
    const to = cut.from + match.index + match[0].length
    if (text.slice(from, to).split(/\s+/).length < 12 || text.slice(to, cut.to).split(/\s+/).length < 6) continue
    cuts.push(trimmed(text, { from, to }))
    from = to
  }
  return [...cuts, trimmed(text, { from, to: cut.to })]
}

type Token = ReturnType<typeof tokensOf>[number]

const subject =
  /^(?:i|i'm|i've|i'd|i'll|he|he's|he'd|he'll|she|she's|she'd|she'll|they|they're|they've|they'd|they'll|we|we're|we've|we'd|we'll|it's|you've|you're|you'll|that's|there's|nobody|somebody)$/
const holdsOn = new Set(continuing.join(' ').split(' '))
const asks = /^(?:have|do|did|are|were|would|could|can|will|is|was|has|does|shall)$/
const asked = /^(?:you|there|it|that|he|she|they|anybody|anyone|we|i|your)$/
const asksWhat = /^(?:what|how|when|where|why|who|which|what's|how's)$/

function cutByClauses(segment: Segment): Cut[] {
  const tokens = tokensOf(segment.text)
  const pauses = pausesIn(segment)
  const starts = [0]
  for (let at = 1; at < tokens.length; at += 1) {
    const begin = starts.at(-1) ?? 0
    const start = boundaryAt(tokens, at, begin, pauses)
    if (start !== null && start > begin) starts.push(start)
    else if (at - begin >= MAX_CLAUSE) starts.push(at)
  }
  return starts.map((start, order) => {
    const next = starts[order + 1]
    const to = next === undefined ? segment.text.length : (tokens[next]?.from ?? segment.text.length)
    return trimmed(segment.text, { from: tokens[start]?.from ?? 0, to })
  })
}

const keepsAsking =
  /^(?:and|but|or|so|i|he|she|it|they|that|as|than|you|we|to|na|gonna|wanna|ll|who|people|nobody|what|not|never|can|could|will|would|should|might|may|must|i'll|you'll|we'll|don't|didn't)$/

function boundaryAt(tokens: readonly Token[], at: number, begin: number, pauses: ReadonlySet<number>): number | null {
  const word = tokens[at]?.text ?? ''
  const before = tokens[at - 1]?.text ?? ''
  const after = tokens[at + 1]?.text ?? ''
  if (pauses.has(tokens[at]?.from ?? -1)) return at
  if (word === 'no' && /^(?:not|wait|sorry)$/.test(after)) return at
  if (asks.test(word) && asked.test(after) && !keepsAsking.test(before)) return questionStart(tokens, at, begin)
  if (word === 'never' && /^(?:have|did|do)$/.test(after) && at - begin >= 3) return at
  if (
    word === 'my' &&
    /^(?:does|is|has|was|says|said|did|had|went)$/.test(tokens[at + 2]?.text ?? '') &&
    (before === 'have' || !holdsOn.has(before))
  )
    return at
  const chunk = tokens.slice(begin, at).map((token) => token.text)
  const complete = !lacksVerb(chunk) || chunk.some((each) => isBaseVerb(each))
  if (word === 'and' && after === 'the' && tokens.length - at <= 3 && at - begin >= 4 && complete) return at
  if (word === 'so' && at - begin >= 4 && complete && /^(?:the|i|it|we|my|that's|it's|he|she|they|i've|i'm)$/.test(after))
    return at
  if (/^(?:i've|i'm)$/.test(word) && /^(?:did|do|have|am|was)$/.test(before) && at - begin === 2) return at
  const youActs = word === 'you' && (isBaseVerb(after) || isPast(after))
  if ((subject.test(word) || youActs) && at - begin >= 3 && tokens.length - at >= 2 && complete) {
    if (/^(?:and|but|so)$/.test(before)) return at - 1 - begin >= 4 ? at - 1 : null
    if (!holdsOn.has(before)) return at
  }
  return null
}

function questionStart(tokens: readonly Token[], at: number, begin: number): number | null {
  for (let back = 0; back <= 3; back += 1) {
    const place = at - back
    if (place < begin) break
    if (back > 0 && asksWhat.test(tokens[place]?.text ?? ''))
      return /^(?:so|and)$/.test(tokens[place - 1]?.text ?? '') ? place - 1 : place
  }
  return at - begin >= 2 ? at : null
}

const tokensOf = (text: string) =>
  [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0]
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/[,.;:!?]+$/, ''),
    from: match.index,
    to: match.index + match[0].length,
  }))

function pausesIn(segment: Segment): Set<number> {
  const placed = wordsPlaced(segment)
  const late = placed.filter((word, at) => word.start_ms - (placed[at - 1]?.end_ms ?? word.start_ms) > PAUSE_MS)
  return new Set(late.map(({ from }) => from))
}
