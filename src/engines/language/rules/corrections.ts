import { numberPattern } from './numbers.ts'
import { normalise } from './tokens.ts'
import type { Room, Sentence } from './types.ts'

const day = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const month = '(?:january|february|march|april|june|july|august|september|october|november|december)'
const kinds: readonly { readonly kind: string; readonly pattern: string }[] = [
  { kind: 'day', pattern: day },
  { kind: 'month', pattern: month },
  { kind: 'number', pattern: `${numberPattern}(?:[ -](?:hundred|thousand)(?: (?:and )?${numberPattern})?)?` },
]
const marker =
  '(?:no,? not|no,? wait,? not|(?:no,? )?tell a lie|not|no,? wait|no|nope|sorry,? i mean|i mean|or rather|rather|sorry|wait|make that|actually)'

const corrects = /\b(?:no|nope|lie|not|sorry|mean|rather|wait|actually|make that)\b/
const patterns = kinds.map(({ kind, pattern }) => ({
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

interface Value {
  readonly kind: string
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Raw offsets, per sentence, of values that were taken back. The later value wins and the first is not written. */
export type Stale = ReadonlyMap<number, readonly { readonly from: number; readonly to: number }[]>

export function findStale(room: Room): Stale {
  const stale = new Map<number, { from: number; to: number }[]>()
  const mark = (sentence: Sentence, value: Value): void => {
    stale.set(sentence.index, [
      ...(stale.get(sentence.index) ?? []),
      { from: sentence.from + value.from, to: sentence.from + value.to },
    ])
  }
  room.sentences.forEach((sentence, place) => {
    insideOne(sentence).forEach((value) => mark(sentence, value))
    const refused = refusedIn(sentence)
    const replaced = replacedBy(room, sentence, place)
    for (const value of [...refused, ...replaced]) {
      for (const earlier of before(room, sentence, place)) {
        for (const old of valuesOf(earlier)) if (old.kind === value.kind && old.text === value.text) mark(earlier, old)
      }
    }
  })
  return stale
}

function valuesOf(sentence: Sentence): Value[] {
  const text = normalise(sentence.raw)
  return patterns.flatMap(({ kind, all }) =>
    [...text.matchAll(all)].map((match) => ({ kind, text: match[0], from: match.index, to: match.index + match[0].length })),
  )
}

/** "on Thursday, no, Wednesday": the first of the two, up to the second. */
function insideOne(sentence: Sentence): Value[] {
  const text = normalise(sentence.raw)
  if (!corrects.test(text)) return []
  return patterns.flatMap(({ kind, inside }) =>
    [...text.matchAll(inside)]
      .filter((match) => match[1] !== match[2] || / no | no, /.test(match[0]))
      .map((match) => ({
        kind,
        text: match[1] ?? '',
        from: match.index,
        to: match.index + match[0].length - (match[2]?.length ?? 0),
      })),
  )
}

/** "No, not Thursday": Thursday goes. */
/** "Thursday I'm at my mum's" turns down a proposed Thursday. */
function turnedDown(text: string): Value[] {
  const match = turnsDown.exec(text)
  return match ? [{ kind: 'day', text: match[1] ?? '', from: 0, to: 0 }] : []
}

function refusedIn(sentence: Sentence): Value[] {
  const text = normalise(sentence.raw)
  if (sentence.isQuestion) return []
  const down = sentence.person.role === 'therapist' ? [] : turnedDown(text)
  return [...down, ...refusedByNot(text)]
}

function refusedByNot(text: string): Value[] {
  if (!text.includes('not ')) return []
  return patterns.flatMap(({ kind, refused }) =>
    [...text.matchAll(refused)].map((match) => ({ kind, text: match[1] ?? '', from: 0, to: 0 })),
  )
}

/** "He's been back four months." "Five, Mum.": a bare value against another of its kind, said by the same or the next speaker. */
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

/** The same turn's earlier sentences and the turn before. */
function before(room: Room, sentence: Sentence, place: number): Sentence[] {
  const earlier: Sentence[] = []
  for (let at = place - 1; at >= 0; at -= 1) {
    const candidate = room.sentences[at]
    if (!candidate || sentence.turn - candidate.turn > 1) break
    earlier.push(candidate)
  }
  return earlier
}
