import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cutSpeech } from '#core/records/voices/voice-handlers.ts'
import { lengthOf, ownTurns } from '#core/records/voices/voice-handlers.ts'
import { decodeOggOpus } from '#engines/speech/audio-source.ts'

const ogg = readFileSync(new URL('../fixtures/speech/session.ogg', import.meta.url))

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}

async function heard(bytes: Buffer): Promise<Float32Array> {
  const parts: number[] = []
  for await (const part of decodeOggOpus(inPieces(bytes))) parts.push(...part)
  return Float32Array.from(parts)
}

test('what is cut out of a recording is the sound of those stretches and no other', async () => {
  const whole = await heard(ogg)
  const stretches = [
    { start_ms: 2000, end_ms: 5000 },
    { start_ms: 9000, end_ms: 11_000 },
  ]
  const cut = await heard(await cutSpeech(inPieces(ogg), stretches))
  expect(Math.abs(cut.length / 16 - 5000)).toBeLessThan(60)
  const expected = stretches.flatMap(({ start_ms, end_ms }) => Array.from(whole.subarray(start_ms * 16, end_ms * 16)))
  const power = (from: number, sound: ArrayLike<number>): number => {
    let sum = 0
    for (let at = from; at < from + 8000; at += 1) sum += (sound[at] ?? 0) ** 2
    return Math.sqrt(sum / 8000)
  }
  for (let from = 0; from + 8000 <= cut.length; from += 8000)
    expect(Math.abs(power(from, cut) - power(from, expected))).toBeLessThan(0.03)
})

test('the longest turns of the therapist are taken, away from their edges, and no more than is needed', () => {
  const said = (speaker_id: string, start_ms: number | null, end_ms: number | null, at: number) => ({
    id: `s${at}`,
    speaker_id,
    start_ms,
    end_ms,
    text: 'said',
    confidence: null,
    edited: false,
  })
  const speakers = [
    { id: 'T', label: 'Therapist', role: 'therapist' as const },
    { id: 'C', label: 'Client', role: 'client' as const },
  ]
  const segments = [
    said('T', 0, 1000, 0),
    said('C', 1000, 30_000, 1),
    said('T', 30_000, 36_000, 2),
    said('T', 40_000, 60_000, 3),
    said('T', null, null, 4),
  ]
  const turns = ownTurns({ segments, speakers })
  expect(turns).toEqual([{ start_ms: 40_250, end_ms: 58_250 }])
  expect(ownTurns({ segments: segments.slice(0, 3), speakers })).toEqual([{ start_ms: 30_250, end_ms: 35_750 }])
  expect(ownTurns({ segments: [said('C', 0, 60_000, 0)], speakers }).reduce((sum, turn) => sum + lengthOf(turn), 0)).toBe(0)
})
