import { describe, expect, test } from 'vitest'
import { hotwordsOf } from '#engines/speech/local/recogniser.ts'
import { createLevel, levelled } from '#engines/speech/local/listening.ts'
import { cutLong } from '#engines/speech/local/speech-detector.ts'
import { whisperLanguage } from '#engines/speech/local/recogniser.ts'
import { confidenceOf, wordsOf } from '#engines/speech/local/engine.ts'

const result = (parts: { text?: string; tokens: string[]; timestamps: number[]; durations?: number[]; logs?: number[] }) => ({
  text: parts.text ?? '',
  tokens: parts.tokens,
  timestamps: parts.timestamps,
  durations: parts.durations ?? [],
  ys_log_probs: parts.logs ?? [],
})

describe('tokens of a model as words', () => {
  test('a word begins with a space or its sign, and takes its time from its tokens', () => {
    const heard = result({
      text: 'I feel hope less.',
      tokens: ['▁I', '▁fe', 'el', ' hope', ' less', '.'],
      timestamps: [0, 0.3, 0.4, 0.9, 1.4, 1.6],
      durations: [0.1, 0.1, 0.2, 0.3, 0.2, 0.1],
    })
    expect(wordsOf(heard, 2000)).toEqual([
      { text: 'I', start_ms: 0, end_ms: 100, confidence: null },
      { text: 'feel', start_ms: 300, end_ms: 600, confidence: null },
      { text: 'hope', start_ms: 900, end_ms: 1200, confidence: null },
      { text: 'less.', start_ms: 1400, end_ms: 1700, confidence: null },
    ])
  })

  test('without lengths a word ends before the next, and the last one with its letters', () => {
    const words = wordsOf(result({ text: 'no sleeping', tokens: ['▁no', '▁sleeping'], timestamps: [0, 0.15] }), 3000)
    expect(words.map(({ end_ms }) => end_ms)).toEqual([150, 870])
  })

  test('a model without times gives no words, rather than made-up times', () => {
    expect(wordsOf(result({ text: 'so it goes', tokens: [' so', ' it', ' goes'], timestamps: [] }), 900)).toEqual([])
  })

  test('where nothing is written between words, each sign is one', () => {
    const words = wordsOf(result({ text: '我很好', tokens: ['我', '很', '好'], timestamps: [0, 0.2, 0.4] }), 900)
    expect(words.map(({ text }) => text)).toEqual(['我', '很', '好'])
  })

  test('confidence is the model’s own; none is made up', () => {
    expect(confidenceOf([])).toBeNull()
    expect(confidenceOf([Math.log(0.5), Math.log(0.5)])).toBe(0.5)
    const heard = result({ text: 'yes no', tokens: ['▁yes', '▁no'], timestamps: [0, 1], logs: [Math.log(0.9), Math.log(0.2)] })
    expect(wordsOf(heard, 2000).map(({ confidence }) => confidence)).toEqual([0.9, 0.2])
  })
})

describe('words to expect', () => {
  const tokens = '<blk> 0\n▁SER 1\nTRA 2\nLINE 3\n▁PAN 4\nIC 5\n▁ 6\nX 7\n▁PANI 8\n'
  test('are written as the model writes; what it cannot write is left out', () => {
    expect(hotwordsOf(['Sertraline', 'panic', 'Quillon', 'panic  sertraline'], tokens)).toBe('SERTRALINE/PANIC/PANIC SERTRALINE')
    expect(hotwordsOf([], tokens)).toBe('')
  })
  test('keep their case where the model knows both, and none of them becomes a weight', () => {
    expect(hotwordsOf(['Ana', 'panic:', 'panic/', 'panic: 99'], '<blk> 0\n▁A 1\nn 2\na 3\n▁panic 4\n')).toBe('Ana/panic/panic')
  })
})

test('a language is named as Whisper does, and left to it where it has no name there', () => {
  expect(['en-GB', 'nb', 'DE', 'xx', null].map(whisperLanguage)).toEqual(['en', 'no', 'de', '', ''])
})

describe('sound on its way to a model', () => {
  test('who speaks on and on is cut at a breath, and no sample is lost', () => {
    const samples = Float32Array.from({ length: 16_000 * 20 }, (_, at) => (at > 16_000 * 8 && at < 16_000 * 8.5 ? 0 : 0.5))
    const parts = cutLong({ start: 1000, samples }, 16_000 * 10)
    expect(parts.every((part) => part.samples.length <= 16_000 * 10)).toBe(true)
    expect(parts[1]!.start - 1000).toBeGreaterThan(16_000 * 8)
    expect(parts[1]!.start - 1000).toBeLessThan(16_000 * 8.5)
    let at = 1000
    for (const part of parts) {
      expect(part.start).toBe(at)
      at += part.samples.length
    }
    expect(at).toBe(1000 + samples.length)
  })

  test('soft speech is made louder, an empty room only a little, and a bang is not taken for a voice', () => {
    const tone = (loudness: number) => Int16Array.from({ length: 160_000 }, (_, at) => Math.sin(at / 5) * loudness * 32_767)
    expect(createLevel()(tone(0.1))).toBeCloseTo(7.08, 1)
    expect(createLevel()(tone(0.001))).toBe(10)
    expect(createLevel()(tone(1))).toBeCloseTo(0.708, 2)
    const banged = new Int16Array(960_000)
    banged.set(tone(0.1))
    banged[500_000] = 32_767
    expect(createLevel()(banged)).toBeGreaterThan(5)
  })

  test('a soft minute after a loud one stays soft, and nothing leaves the scale', () => {
    const level = createLevel()
    const loud = Int16Array.from({ length: 16_000 }, () => 20_000)
    const soft = Int16Array.from({ length: 16_000 }, () => 500)
    expect(level(loud)).toBe(level(soft))
    expect(Math.max(...levelled(loud, 9))).toBe(1)
  })
})
