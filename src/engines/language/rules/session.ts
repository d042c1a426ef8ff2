import { findStale } from './corrections.ts'
import type { Stale } from './corrections.ts'
import { planPivot } from './lexicon/planning.ts'
import { numbersIn } from './numbers.ts'
import { shareOf } from './tokens.ts'
import type { Room, Sentence, Span } from './types.ts'

/** The room with what every stage after it asks for. */
export interface SessionView {
  readonly room: Room
  readonly stale: Stale
  /** First turn of what is agreed for after the session. */
  readonly planFrom: number
  /** The subject the therapist last named in passing ("And the lunches?"), by turn index. */
  readonly names: readonly string[]
}

export function viewOf(room: Room): SessionView {
  return { room, stale: findStale(room), planFrom: planStart(room), names: room.people.map((person) => person.name) }
}

function planStart(room: Room): number {
  const from = Math.floor((room.closing - room.opening) * 0.55) + room.opening
  const last = room.closing
  for (let at = from; at <= last; at += 1) {
    const turn = room.turns[at]
    if (turn?.person.role === 'therapist' && turn.sentences.some((sentence) => planPivot.test(sentence.clean))) return at
  }
  return Math.floor((last - room.opening) * 0.72) + room.opening
}

export function isUsable(view: SessionView, sentence: Sentence): boolean {
  return sentence.turn >= view.room.opening && sentence.turn <= view.room.closing && !sentence.isInstruction && !sentence.isHumour
}

export function isStale(view: SessionView, span: Span): boolean {
  return (view.stale.get(span.sentence.index) ?? []).some((gone) => gone.from < span.to && span.from < gone.to)
}

export function hasStale(view: SessionView, sentence: Sentence): boolean {
  return view.stale.has(sentence.index)
}

/** The run before a value that was taken back, as far as it stands alone; null where nothing is left. */
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

/** "What went through your mind?" "I'm going to pass out.": a thought, never a fact; only with the question, word for word. */
export function tellsThought(view: SessionView, sentence: Sentence): boolean {
  const before = view.room.turns[sentence.turn - 1]
  return before?.person.role === 'therapist' && before.sentences.some((each) => asksForThought.test(each.clean))
}

/** What the client said in the few turns before: the ground a restatement stands on. */
export function groundBefore(view: SessionView, turn: number, reach: number): Sentence[] {
  const ground: Sentence[] = []
  for (let at = turn - 1; at >= Math.max(view.room.opening, turn - reach); at -= 1) {
    const earlier = view.room.turns[at]
    if (earlier && earlier.person.role !== 'therapist') ground.push(...earlier.sentences)
  }
  return ground
}

export function stemsOf(sentences: readonly Sentence[]): Set<string> {
  return new Set(sentences.flatMap((sentence) => [...sentence.stems]))
}

/** The client sentences a restatement says again, best first. */
export function groundsOf(sentence: Sentence, ground: readonly Sentence[]): Sentence[] {
  return ground
    .map((each) => ({ each, share: shareOf(each.stems, sentence.stems) * Math.min(each.stems.size, 6) }))
    .filter(({ each, share }) => share >= 0.8 && sharesMatter(each, sentence))
    .toSorted((left, right) => right.share - left.share || left.each.index - right.each.index)
    .slice(0, 3)
    .map(({ each }) => each)
    .toSorted((left, right) => left.index - right.index)
}

/** "Two weeks ago" and "before next week" have a word in common and nothing to do with each other; "four" said back is. */
function sharesMatter(one: Sentence, other: Sentence): boolean {
  const isWhole = [...one.stems].every((stem) => other.stems.has(stem))
  return (
    [...one.stems].some((stem) => other.stems.has(stem) && !calendar.test(stem)) || (isWhole && numbersIn(one.clean).size > 0)
  )
}

const calendar =
  /^(?:week|day|month|year|hour|minute|time|morning|evening|night|afternoon|today|tonight|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|last|ago|again|one|two|three|four|five|six|seven|eight|nine|ten|\d+)/

export interface Raised {
  readonly name: string
  readonly sentence: Sentence
}

const raises =
  /^(?:(?:and|so|then|okay)[, ]+)*(?:there(?:'s| was| is)(?: also)?|what about|about|as for|you (?:also )?mentioned|back to|going back to|let's talk about|can we talk about)(?: the| your| this)? ([\p{L}' -]{3,30}?)[.?]?$/iu

/** "There was also the smoking.": what the next turns are about. */
export function raisedBefore(view: SessionView, turn: number): Raised | null {
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
