import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HeardSegment } from '#engines/speech/port.ts'
import { assignSpeakers, nameVoices } from '#engines/speech/speakers/assign.ts'

const turn = (start_ms: number, end_ms: number, voice: number | null, part = 0) => ({ start_ms, end_ms, voice, part })

function segment(text: string, start_ms: number, eachMs: number, withWords = true): HeardSegment {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    start_ms: start_ms + index * eachMs,
    end_ms: start_ms + (index + 1) * eachMs,
    confidence: null,
  }))
  const end_ms = start_ms + words.length * eachMs
  return { text, start_ms, end_ms, confidence: null, speaker: null, words: withWords ? words : [] }
}

describe('words and voices', () => {
  test('a segment is cut where the voice changes, and keeps every word', () => {
    const parts = assignSpeakers([segment('How are you? Fine, thanks.', 0, 500)], [turn(0, 1450, 0), turn(1520, 2500, 1)])
    expect(parts.map(({ text, voice }) => ({ text, voice }))).toEqual([
      { text: 'How are you?', voice: 0 },
      { text: 'Fine, thanks.', voice: 1 },
    ])
    expect(parts[0]).toMatchObject({ start_ms: 0, end_ms: 1500 })
  })

  test('what sounds different within one voice is told of each segment', () => {
    const turns = [turn(0, 1000, 0), turn(2000, 3000, 0, 1)]
    const parts = assignSpeakers([segment('one two', 0, 500), segment('three four', 2000, 500)], turns)
    expect(parts.map(({ voice, part }) => [voice, part])).toEqual([
      [0, 0],
      [0, 1],
    ])
  })

  test('without word times a segment goes to who has more than half of it', () => {
    const one = segment('one two three four', 0, 500, false)
    expect(assignSpeakers([one], [turn(0, 1300, 0), turn(1300, 2000, 1)])[0]!.voice).toBe(0)
    expect(assignSpeakers([one], [turn(0, 1000, 0), turn(1000, 2000, 1)])[0]!.voice).toBeNull()
  })

  test('what no voice covers is nobody’s', () => {
    const words = segment('one two', 10_000, 500)
    expect(assignSpeakers([words], [turn(0, 1000, 0)])[0]!.voice).toBeNull()
    expect(assignSpeakers([{ ...words, words: [] }], [turn(0, 10_100, 0)])[0]!.voice).toBeNull()
    expect(assignSpeakers([segment('mm', 0, 300)], [turn(0, 300, null)])[0]!.voice).toBeNull()
  })

  test('no word is lost, doubled or moved, whatever the turns are', () => {
    const words = fc.array(fc.stringMatching(/^[a-c]{1,3}[,.]?$/), { minLength: 1, maxLength: 12 })
    const turns = fc.array(fc.record({ length: fc.nat(2000), pause: fc.nat(600), voice: fc.option(fc.nat(2)) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), turns, fc.boolean(), (texts, lengths, withWords) => {
        const segments = texts.map((text, index) => segment(text.join(' '), index * 5000, 300, withWords))
        let at = 0
        const placed = lengths.map(({ length, pause, voice }) => {
          const start = at + pause
          at = start + length
          return turn(start, at, voice)
        })
        const parts = assignSpeakers(segments, placed)
        expect(parts.map(({ text }) => text).join(' ')).toBe(segments.map(({ text }) => text).join(' '))
        expect(parts.flatMap(({ words: own }) => own)).toEqual(segments.flatMap(({ words: own }) => own))
        expect(parts.every(({ start_ms, end_ms }) => end_ms >= start_ms)).toBe(true)
      }),
    )
  })
})

describe('who the voices are', () => {
  const found = (enrolled: readonly (string | null)[]) =>
    enrolled.map((enrolled_id, voice) => ({ voice, enrolled_id, embedding: new Float32Array(1), spoken_ms: 60_000 }))
  const said = (voice: number, text: string) => ({ ...segment(text, 0, 100), voice, part: 0 })
  const interview = Array.from({ length: 14 }, (_, index) => [
    said(1, index % 2 === 0 ? 'How long has that been so for you?' : 'What was that like for you?'),
    said(0, 'I went to my work and I did my things'),
  ]).flat()

  test('the enrolled voice is the therapist, and of two expected the other is the client', () => {
    const roles = nameVoices([said(0, 'Yes'), said(1, 'No')], found([null, 'me']), 2)
    expect([...roles.values()].map(({ role }) => role)).toEqual(['client', 'therapist'])
  })

  test('an interviewer’s words name the therapist only where they are clear', () => {
    expect([...nameVoices(interview, found([null, null]), 2)].map(([voice, { role }]) => [voice, role])).toEqual([
      [1, 'therapist'],
      [0, 'client'],
    ])
    expect([...nameVoices(interview.slice(0, 10), found([null, null]), 2).values()].map(({ role }) => role)).toEqual([
      'unknown',
      'unknown',
    ])
  })

  test('nobody in a couple is named by guessing', () => {
    const roles = nameVoices([said(0, 'Yes'), said(1, 'No'), said(2, 'Well')], found(['me', null, null]), 3)
    expect([...roles.values()].map(({ role }) => role)).toEqual(['therapist', 'unknown', 'unknown'])
    expect(new Set([...roles.values()].map(({ label }) => label)).size).toBe(3)
  })
})
