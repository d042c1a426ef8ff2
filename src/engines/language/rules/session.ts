import { planPivot } from './lexicon/signs.ts'
import { numbersIn, numberPattern } from '../text/numbers.ts'
import { shareOf, normalise } from '../text/words.ts'
import type { Cut } from '../text/sentences.ts'
import type { Room, Sentence, Span } from './types.ts'

export interface SessionView {
  readonly room: Room
  readonly stale: Stale
  readonly planFrom: number
  readonly names: readonly string[]
}

export function viewOf(room: Room): SessionView {
  return { room, stale: findStale(room), planFrom: planStart(room), names: room.people.map((person) => person.name) }
}

function planStart(room: Room): number {
  const from = Math.floor((room.closing - room.opening) * 0.55) + room.opening
  const last = room.closing
  const pivot = room.turns
    .slice(from, last + 1)
    .findIndex(({ person, sentences }) => person.role === 'therapist' && sentences.some(({ clean }) => planPivot.test(clean)))
  return pivot < 0 ? Math.floor((last - room.opening) * 0.72) + room.opening : from + pivot
}

export const isUsable = (view: SessionView, sentence: Sentence): boolean =>
  sentence.turn >= view.room.opening && sentence.turn <= view.room.closing && !sentence.isInstruction && !sentence.isHumour

export const isStale = (view: SessionView, span: Span): boolean =>
  (view.stale.get(span.sentence.index) ?? []).some((gone) => gone.from < span.to && span.from < gone.to)

export const hasStale = (view: SessionView, sentence: Sentence): boolean => view.stale.has(sentence.index)

export const isSound = (view: SessionView, sentence: Sentence): boolean => isUsable(view, sentence) && !hasStale(view, sentence)

export function beforeStale(view: SessionView, span: Span): Span | null {
  const gone = (view.stale.get(span.sentence.index) ?? []).find((each) => each.from < span.to && span.from < each.to)
  if (!gone) return span
  const text = span.sentence.segment.text.slice(span.from, gone.from)
  const kept = text.replace(
    /(?:[\s,]*(?:and|or|on|to|at|from|for|the|about|was|is|it|in|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?))*[\s,]*$/i,
    '',
  )
  return kept.split(/\s+/).length >= 2 ? { ...span, to: span.from + kept.length } : null
}

const asksForThought =
  /\b(?:through your (?:mind|head)|(?:were|are) you (?:thinking|telling yourself|afraid|scared|frightened|worried)|did you (?:think|believe|expect|predict|fear|imagine|say to yourself|tell yourself)|what(?:'s| is| was)? (?:the )?(?:worst|thought|fear)|what would (?:you say|happen)|what (?:did|does) (?:the|your|that) (?:thought|voice|fear|worry) say)\b/i

/** "What went through your mind?" "I'm going to pass out.": the answer is a thought, not a fact. */
export function tellsThought(view: SessionView, sentence: Sentence): boolean {
  const before = view.room.turns[sentence.turn - 1]
  return before?.person.role === 'therapist' && before.sentences.some((each) => asksForThought.test(each.clean))
}

export function groundBefore(view: SessionView, turn: number, reach: number): Sentence[] {
  const ground: Sentence[] = []
  for (let at = turn - 1; at >= Math.max(view.room.opening, turn - reach); at -= 1) {
    const earlier = view.room.turns[at]
    if (earlier && earlier.person.role !== 'therapist') ground.push(...earlier.sentences)
  }
  return ground
}

export const stemsOf = (sentences: readonly Sentence[]): Set<string> =>
  new Set(sentences.flatMap((sentence) => [...sentence.stems]))

export const groundsOf = (sentence: Sentence, ground: readonly Sentence[]): Sentence[] =>
  ground
    .map((each) => ({ each, share: shareOf(each.stems, sentence.stems) * Math.min(each.stems.size, 6) }))
    .filter(({ each, share }) => share >= 0.8 && sharesMatter(each, sentence))
    .toSorted((left, right) => right.share - left.share || left.each.index - right.each.index)
    .slice(0, 3)
    .map(({ each }) => each)
    .toSorted((left, right) => left.index - right.index)

/** "Two weeks ago" and "before next week" share a word but no topic. */
function sharesMatter(one: Sentence, other: Sentence): boolean {
  const isWhole = [...one.stems].every((stem) => other.stems.has(stem))
  return (
    [...one.stems].some((stem) => other.stems.has(stem) && !calendar.test(stem)) || (isWhole && numbersIn(one.clean).size > 0)
  )
}

const calendar =
  /^(?:week|day|month|year|hour|minute|time|morning|evening|night|afternoon|today|tonight|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|last|ago|again|one|two|three|four|five|six|seven|eight|nine|ten|\d+)/

const raises =
  /^(?:(?:and|so|then|okay)[, ]+)*(?:there(?:'s| was| is)(?: also)?|what about|about|as for|you (?:also )?mentioned|back to|going back to|let's talk about|can we talk about)(?: the| your| this)? ([\p{L}' -]{3,30}?)[.?]?$/iu

export function raisedBefore(view: SessionView, turn: number): { name: string; sentence: Sentence } | null {
  for (let at = turn - 1; at >= Math.max(view.room.opening, turn - 6); at -= 1) {
    const earlier = view.room.turns[at]
    if (earlier?.person.role !== 'therapist') continue
    for (const sentence of earlier.sentences) {
      const name = raises.exec(sentence.clean)?.[1]
      if (name !== undefined && sentence.words.length <= 8) return { name, sentence }
    }
  }
  return null
}

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const month = '(?:january|february|march|april|june|july|august|september|october|november|december)'
const kinds = { day, month, number: `${numberPattern}(?:[ -](?:hundred|thousand)(?: (?:and )?${numberPattern})?)?` }
const marker =
  '(?:no,? not|no,? wait,? not|(?:no,? )?tell a lie|not|no,? wait|no|nope|sorry,? i mean|i mean|or rather|rather|sorry|wait|make that|actually)'

const corrects = /\b(?:no|nope|lie|not|sorry|mean|rather|wait|actually|make that)\b/
const patterns = Object.entries(kinds).map(([kind, pattern]) => ({
  kind,
  all: new RegExp(`\\b${pattern}\\b`, 'g'),
  inside: new RegExp(
    `\\b(${pattern})\\b(?:\\s+(?!no\\b|not\\b|sorry\\b)[\\w']+){0,3}?[,.\\s–—-]+${marker}[,\\s]+(?:it was |on |the )?(${pattern})\\b`,
    'g',
  ),
  refused: new RegExp(`(?:^|\\bno,? |\\bwait,? |, )not (?:on |the )?(${pattern})\\b`, 'g'),
  bare: new RegExp(
    `^(?:(?:um|uh|no|nope|sorry|wait|i mean|or rather|make that|actually)[,\\s]+)*(?:on |it was |it's |in )?(${pattern})\\b`,
  ),
}))

const turnsDown = new RegExp(
  `^(?:\\W*(?:no|well|oh|um|but|not on))*\\W*(${day}),? (?:i'm|i've got|i can't|i have|i work|is no good|doesn't work|won't work|isn't)\\b`,
)

interface Value extends Cut {
  readonly kind: string
  readonly text: string
}

/** Values that speakers later corrected or rejected: offsets in the segment's text, by sentence index. */
type Stale = ReadonlyMap<number, readonly Cut[]>

function findStale(room: Room): Stale {
  const stale = new Map<number, Cut[]>()
  const mark = ({ index, from }: Sentence, value: Cut): void => {
    stale.set(index, [...(stale.get(index) ?? []), { from: from + value.from, to: from + value.to }])
  }
  for (const [place, sentence] of room.sentences.entries()) {
    for (const value of insideOne(sentence)) mark(sentence, value)
    for (const { kind, text } of [...refusedIn(sentence), ...replacedBy(room, sentence, place)])
      for (const earlier of before(room, sentence, place))
        for (const old of valuesOf(earlier)) if (old.kind === kind && old.text === text) mark(earlier, old)
  }
  return stale
}

const found = (text: string, name: 'all' | 'inside' | 'refused') =>
  patterns.flatMap((each) => [...text.matchAll(each[name])].map((match) => ({ kind: each.kind, match })))

const valuesOf = (sentence: Sentence): Value[] =>
  found(normalise(sentence.raw), 'all').map(({ kind, match: { 0: text, index } }) => ({
    kind,
    text,
    from: index,
    to: index + text.length,
  }))

function insideOne(sentence: Sentence): Cut[] {
  const text = normalise(sentence.raw)
  if (!corrects.test(text)) return []
  return found(text, 'inside')
    .filter(({ match }) => match[1] !== match[2] || / no | no, /.test(match[0]))
    .map(({ match }) => ({ from: match.index, to: match.index + match[0].length - (match[2]?.length ?? 0) }))
}

function refusedIn(sentence: Sentence): Pick<Value, 'kind' | 'text'>[] {
  const text = normalise(sentence.raw)
  if (sentence.isQuestion) return []
  const day = sentence.person.role === 'therapist' ? undefined : turnsDown.exec(text)?.[1]
  const refused = text.includes('not ') ? found(text, 'refused') : []
  return [
    ...(day === undefined ? [] : [{ kind: 'day', text: day }]),
    ...refused.map(({ kind, match }) => ({ kind, text: match[1] ?? '' })),
  ]
}

function replacedBy(room: Room, sentence: Sentence, place: number): Value[] {
  const text = normalise(sentence.raw).replace(/[.!,\s]+$/, '')
  if (sentence.isQuestion || sentence.words.length > 9) return []
  const said = patterns.flatMap(({ kind, bare }) => {
    const match = bare.exec(text)
    return match
      ? [{ kind, text: match[1] ?? '', marked: /^(?:no|nope|sorry|wait|i mean|or rather|make that|actually)\b/.test(text) }]
      : []
  })
  const previous = room.sentences[place - 1]
  if (!previous || previous.isQuestion || sentence.turn - previous.turn > 1) return []
  return said.flatMap((value) => {
    const olds = valuesOf(previous).filter((old) => old.kind === value.kind)
    const old = olds[0]
    if (!old || olds.length !== 1 || old.text === value.text) return []
    const accepted =
      value.marked ||
      (previous.turn !== sentence.turn && isTakenUp(room, sentence, value.text) && previous.person.role === sentence.person.role)
    return accepted ? [old] : []
  })
}

function isTakenUp(room: Room, sentence: Sentence, value: string): boolean {
  const next = room.turns[sentence.turn + 1]
  return (
    next !== undefined &&
    next.sentences
      .slice(0, 2)
      .some((each) => new RegExp(`^(?:\\W*(?:yes|yeah|oh|right|sorry|um))*\\W*${value}\\b`).test(normalise(each.raw)))
  )
}

function before(room: Room, sentence: Sentence, place: number): Sentence[] {
  const earlier: Sentence[] = []
  for (let at = place - 1; at >= 0; at -= 1) {
    const candidate = room.sentences[at]
    if (!candidate || sentence.turn - candidate.turn > 1) break
    earlier.push(candidate)
  }
  return earlier
}
