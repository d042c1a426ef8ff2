import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  evidenceKind,
  firstMoment,
  isSourceErased,
  isSourceMissing,
  markQuotes,
  moments,
} from '#renderer/features/session/note/evidence-moments.ts'
import type { Segment } from '#contract/model/transcript.ts'

const segment = (id: string, start_ms: number, text: string): Segment => ({
  id,
  speaker_id: 'c',
  start_ms,
  end_ms: start_ms + 4000,
  text,
  confidence: null,
  edited: false,
})
const segments = [
  segment('a', 0, 'And how have the nights been?'),
  segment('b', 5000, 'Better. Five out of seven I was asleep before midnight.'),
  segment('c', 10_000, 'And the sister?'),
  segment('d', 15_000, 'Something else.'),
  segment('e', 20_000, 'I don’t lie there arguing with her in my head any more.'),
]
const cite = (segment_id: string, quote: string | null, start_ms: number | null = null) => ({
  segment_id,
  quote,
  start_ms,
  end_ms: start_ms === null ? null : start_ms + 1000,
  quote_sha256: null,
})

describe('where a statement was said', () => {
  test('two moments far apart are two, each with the turn before it', () => {
    const found = moments(
      [cite('b', 'Five out of seven I was asleep before midnight.', 6000), cite('e', 'I don’t lie there', 20_000)],
      { segments },
    )
    expect(found.map((moment) => moment.turns.map((turn) => [turn.segment.id, turn.isContext]))).toEqual([
      [
        ['a', true],
        ['b', false],
      ],
      [
        ['d', true],
        ['e', false],
      ],
    ])
    expect(found[0]).toMatchObject({ start_ms: 6000, end_ms: 7000 })
  })

  test('a question and its answer are one moment', () => {
    const found = moments([cite('b', 'Better.'), cite('a', 'And how have the nights been?')], { segments })
    expect(found).toHaveLength(1)
    expect(found[0]?.turns.map((turn) => turn.isContext)).toEqual([false, false])
    expect(found[0]).toMatchObject({ start_ms: 0, end_ms: 9000 })
  })

  test('a segment that is no longer there shows nothing instead of something else', () => {
    expect(moments([cite('gone', 'x')], { segments })).toEqual([])
    expect(moments([cite('a', 'x')], null)).toEqual([])
  })
})

describe('the quoted words', () => {
  test('are marked and the turn loses no letter, whatever is quoted', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 4 }), (text, quotes) => {
        expect(
          markQuotes(text, quotes)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  test('overlapping quotes are one mark each letter once', () => {
    const parts = markQuotes('one two three', ['one two', 'two three'])
    expect(parts.every((part) => part.marked)).toBe(true)
    expect(parts.map((part) => part.text).join('')).toBe('one two three')
  })
})

test('kinds of evidence: word for word, reworded, own words, none', () => {
  const evidence = [cite('a', 'x')]
  expect(evidenceKind({ support: 'stated', evidence })).toBe('quote')
  expect(evidenceKind({ support: 'paraphrase', evidence })).toBe('reworded')
  expect(evidenceKind({ support: 'clinician_entered', evidence })).toBe('own')
  expect(evidenceKind({ support: 'paraphrase', evidence: [] })).toBe('none')
})

test('a source taken away by retention is told from one without times', () => {
  expect(isSourceErased([cite('a', null, 100)])).toBe(true)
  expect(isSourceErased([])).toBe(false)
  expect(firstMoment([cite('a', 'x')])).toBeNull()
  expect(firstMoment([cite('b', 'x', 9000), cite('a', 'x', 100)])).toEqual({ start_ms: 100, end_ms: 1100 })
})

test('a source is missing where its transcript was lost or replaced by another', () => {
  const [evidence, other] = [[cite('a', 'x')], { segments: [segment('b', 0, 'x')] }]
  expect(isSourceMissing(evidence, moments(evidence, null))).toBe(true)
  expect(isSourceMissing(evidence, moments(evidence, other))).toBe(true)
  expect(isSourceMissing(evidence, moments(evidence, { segments: [segment('a', 0, 'x')] }))).toBe(false)
  expect(isSourceMissing([], [])).toBe(false)
})
