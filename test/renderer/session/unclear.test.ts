import { describe, expect, test } from 'vitest'
import { correctTurn, textParts, turnAt, worthAListen } from '#renderer/features/session/transcript/unclear.ts'
import type { Segment } from '#contract/model/transcript.ts'

const word = (text: string, confidence: number | null) => ({ text, start_ms: 0, end_ms: 1, confidence })
const heard: Segment = {
  id: 'a',
  speaker_id: null,
  start_ms: 5000,
  end_ms: 8000,
  text: 'Then Annika took the phone.',
  confidence: null,
  edited: false,
  words: [word('Then', 0.9), word('Annika', 0.3), word('took', 0.9), word('the', 0.9), word('phone.', 0.4)],
}

describe('words heard unclearly', () => {
  test('the turn is cut at them and loses no letter', () => {
    const parts = textParts(heard)
    expect(parts.map((part) => part.text).join('')).toBe(heard.text)
    expect(parts.filter((part) => part.unclear).map((part) => part.text)).toEqual(['Annika', 'phone'])
  })

  test.each([
    ['a short word is not marked inside a longer one before it', 'Great, take a seat.', ['Great', 'take', 'a?', 'seat'], [12]],
    ['of two equal words the one heard unclearly is marked', 'It was what it was.', ['it', 'was', 'what', 'it', 'was?'], [15]],
    ['case and punctuation may differ', 'No, “Don’t go!”', ['no', "don't?", 'go'], [5]],
    [
      'words that differ from the text mark nothing else',
      'We met at ten. A day later.',
      ['we', 'met', 'at', '10?', 'a', 'day'],
      [],
    ],
    ['a word that was heard but not written marks no later one', 'I am on my way to the station.', ['the?', 'I', 'am', 'on'], []],
  ])('%s', (_promise, text, said, starts) => {
    const words = said.map((each) => word(each.replace('?', ''), each.endsWith('?') ? 0.2 : 0.9))
    const parts = textParts({ ...heard, text, words })
    expect(parts.map((part) => part.text).join('')).toBe(text)
    const marked = parts.flatMap(({ unclear }, at) =>
      unclear ? [parts.slice(0, at).reduce((length, part) => length + part.text.length, 0)] : [],
    )
    expect(marked).toEqual(starts)
  })

  test('correcting a turn takes it off the list', () => {
    const body = { speakers: [{ id: 't', label: 'You', role: 'therapist' as const }], segments: [{ ...heard, speaker_id: 't' }] }
    expect(worthAListen(body).map((item) => item.reason)).toEqual(['words'])
    const after = correctTurn(body, 'a', 'Then Annika took the phone away.')
    expect(worthAListen(after)).toEqual([])
    expect(after.segments[0]).toMatchObject({ edited: true, start_ms: 5000, end_ms: 8000 })
  })

  test('leaving the words as they are does not call the turn corrected', () => {
    expect(correctTurn({ segments: [heard] }, 'a', heard.text).segments[0]).toBe(heard)
  })
})

describe('the turn being said', () => {
  const segments = [0, 4000, 9000].map((start_ms, index) => ({ ...heard, id: String(index), start_ms }))
  test('is the last one that has begun', () => {
    expect([0, 3999, 4000, 8999, 9000, 60_000].map((ms) => turnAt(segments, ms))).toEqual([0, 0, 1, 1, 2, 2])
  })
  test('is none before the first and none without times', () => {
    expect(turnAt([{ ...heard, start_ms: 100 }], 50)).toBe(-1)
    expect(turnAt([{ ...heard, start_ms: null }], 50)).toBe(-1)
  })
})
