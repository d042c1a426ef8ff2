import type { Segment } from '#contract/model/transcript.ts'

export interface Place {
  readonly segment: Segment
  readonly from: number
  readonly to: number
}

interface Word {
  readonly plain: string
  readonly from: number
  readonly to: number
}

/** Words that stand everywhere prove nothing about another place than the one named. */
const fewestElsewhere = 3
/** Segments on either side of the one named. */
const reach = 12

/**
 * Where the words of a quotation stand, one after another and all of them; case, punctuation and the form of an
 * apostrophe apart. In the segment that is named, else in the nearest that has them. What is cut out there is what was
 * said, letter for letter, whatever the model made of it.
 */
export function locate(quote: string, named: number, segments: readonly Segment[]): Place[] {
  const parts = quote
    .split(/\u2026|\.\.\.|\[[^\]]*\]/)
    .map(wordsAt)
    .filter((words) => words.length > 0)
  if (parts.length === 0) return []
  const home = segments[named - 1]
  const near = [...Array(reach).keys()].flatMap((step) => [segments[named - 2 - step], segments[named + step]])
  const isLong = parts.reduce((sum, words) => sum + words.length, 0) >= fewestElsewhere
  for (const segment of [home, ...(isLong ? near : [])]) {
    const places = segment ? placesIn(segment, parts) : null
    if (places) return places
  }
  return []
}

function placesIn(segment: Segment, parts: readonly (readonly Word[])[]): Place[] | null {
  const said = wordsOf(segment)
  const places: Place[] = []
  let after = 0
  for (const part of parts) {
    const at = indexOfRun(said, part, after)
    if (at < 0) return null
    after = at + part.length
    places.push({ segment, from: said[at]!.from, to: said[after - 1]!.to })
  }
  return places
}

function indexOfRun(said: readonly Word[], run: readonly Word[], from: number): number {
  for (let at = from; at + run.length <= said.length; at += 1) {
    if (run.every((word, index) => said[at + index]?.plain === word.plain)) return at
  }
  return -1
}

const known = new WeakMap<Segment, readonly Word[]>()

function wordsOf(segment: Segment): readonly Word[] {
  const before = known.get(segment)
  if (before) return before
  const words = wordsAt(segment.text)
  known.set(segment, words)
  return words
}

function wordsAt(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:['\u2019\u2018-][\p{L}\p{N}]+)*/gu)].map((match) => ({
    plain: match[0].toLowerCase().replaceAll(/[\u2019\u2018]/g, "'"),
    from: match.index,
    to: match.index + match[0].length,
  }))
}
