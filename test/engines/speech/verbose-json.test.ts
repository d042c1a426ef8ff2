import { expect, test } from 'vitest'
import { languageCode } from '#engines/speech/port.ts'
import { readVerboseJson } from '#engines/speech/verbose-json.ts'

const read = (answer: unknown) => readVerboseJson(JSON.stringify(answer), 10_000)

test('segments with their own words are taken as they are', () => {
  const words = [
    { word: ' I', start: 1, end: 1.2, probability: 0.5 },
    { word: ' slept', start: 1.2, end: 1.6, probability: 1 },
  ]
  expect(
    read({ language: 'english', text: 'I slept', segments: [{ id: 0, start: 1, end: 2, text: ' I slept', words }] }),
  ).toEqual({
    language: 'english',
    segments: [
      {
        text: 'I slept',
        start_ms: 1000,
        end_ms: 2000,
        confidence: 0.75,
        speaker: null,
        words: [
          { text: 'I', start_ms: 1000, end_ms: 1200, confidence: 0.5 },
          { text: 'slept', start_ms: 1200, end_ms: 1600, confidence: 1 },
        ],
      },
    ],
  })
})

test('words beside the segments go into the segment they were said in', () => {
  const segments = [
    { start: 0, end: 1, text: 'a' },
    { start: 1, end: 2, text: 'b c' },
  ]
  const words = [
    { word: 'a', start: 0.1, end: 0.9 },
    { word: 'b', start: 1, end: 1.4 },
    { word: 'c', start: 1.5, end: 2 },
  ]
  expect(read({ segments, words })?.segments.map((segment) => segment.words.map(({ text }) => text))).toEqual([['a'], ['b', 'c']])
})

test('words alone are grouped at pauses longer than 0.7 s', () => {
  const words = [
    { word: 'a', start: 0, end: 1 },
    { word: 'b', start: 1.7, end: 2 },
    { word: 'c', start: 2.71, end: 3 },
  ]
  expect(read({ text: 'a b c', words })?.segments.map(({ text, start_ms, end_ms }) => [text, start_ms, end_ms])).toEqual([
    ['a b', 0, 2000],
    ['c', 2710, 3000],
  ])
})

test('text alone is one segment over the whole piece', () => {
  expect(read({ text: ' I slept  badly. ' })?.segments).toEqual([
    { text: 'I slept badly.', start_ms: 0, end_ms: 10_000, confidence: null, speaker: null, words: [] },
  ])
  expect(read({ text: '' })?.segments).toEqual([])
})

test('times outside the sound are brought into it, a missing end is the sound’s', () => {
  const segments = [
    { start: -1, end: 99, text: 'a' },
    { start: 5, text: 'b', end: null },
    { text: 'c' },
    { start: 8, end: 7, text: 'd' },
  ]
  expect(read({ segments })?.segments.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
    [0, 10_000],
    [5000, 10_000],
    [10_000, 10_000],
    [8000, 8000],
  ])
})

test('what the engine itself holds for silence is left out', () => {
  const segments = [
    { start: 0, end: 1, text: 'Thank you for watching!', no_speech_prob: 0.9, avg_logprob: -1.5 },
    { start: 1, end: 2, text: 'a', avg_logprob: -0.1 },
  ]
  expect(read({ segments })?.segments).toMatchObject([{ text: 'a', confidence: Math.exp(-0.1) }])
})

test('one odd member does not cost the rest', () => {
  const segments = [null, { start: 'x', end: {}, text: 'a', words: 'none', speaker: {} }, { text: 7 }]
  expect(read({ segments, words: [null, { word: 3 }] })?.segments).toMatchObject([{ text: 'a', speaker: null }])
})

test('what is no transcript is none', () => {
  for (const body of ['', '<html>', '[]', '"text"', '{}', '{"error":{"message":"x"}}', 'null'])
    expect(readVerboseJson(body, 1000)).toBeNull()
})

test('languages become tags, or nothing', () => {
  expect([
    languageCode('english'),
    languageCode('German'),
    languageCode('pt'),
    languageCode('klingon'),
    languageCode(null),
  ]).toEqual(['en', 'de', 'pt', null, null])
})
