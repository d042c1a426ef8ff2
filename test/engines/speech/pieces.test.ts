import { expect, test } from 'vitest'
import type { Piece } from '#engines/speech/plan.ts'
import { readWav } from '#engines/speech/decode-wav.ts'
import { cutIntoPieces } from '#engines/speech/plan.ts'

const rate = 16_000

/** Sound at a level, except where it is quiet. */
async function* noise(seconds: number, quiet: readonly [number, number][], chunk = 12_345): AsyncGenerator<Float32Array> {
  let seed = 1
  const at = (index: number) => {
    seed = (seed * 16_807) % 2_147_483_647
    const second = index / rate
    return (seed / 2_147_483_647 - 0.5) * (quiet.some(([from, to]) => second >= from && second < to) ? 0.01 : 0.5)
  }
  for (let from = 0; from < seconds * rate; from += chunk) {
    yield Float32Array.from({ length: Math.min(chunk, seconds * rate - from) }, (_, index) => at(from + index))
  }
}

async function collect(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const all: Piece[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

test('sound is cut at its quietest moment near the end of a piece, and nothing is lost', async () => {
  const pieces = await collect(
    cutIntoPieces(
      noise(25, [
        [8.5, 9],
        [17.2, 17.6],
      ]),
      10,
    ),
  )
  expect(pieces.map(({ index }) => index)).toEqual([0, 1, 2])
  expect(pieces[1]!.start_ms).toBeGreaterThan(8500)
  expect(pieces[1]!.start_ms).toBeLessThan(9000)
  expect(pieces[2]!.start_ms).toBeGreaterThan(17_200)
  expect(pieces[2]!.start_ms).toBeLessThan(17_600)
  expect(pieces.reduce((sum, { wav }) => sum + readWav(wav).data.length / 2, 0)).toBe(25 * rate)
  expect(pieces.at(-1)!.start_ms + pieces.at(-1)!.duration_ms).toBe(25_000)
})

test('it is cut the same way however it comes, so that pieces already done are known again', async () => {
  const starts = async (chunk: number) =>
    (await collect(cutIntoPieces(noise(33, [[9.1, 9.2]], chunk), 10))).map(({ start_ms }) => start_ms)
  expect(await starts(320)).toEqual(await starts(50_000))
})

test('no piece is longer than the longest, where it is loud all through too', async () => {
  for (const { duration_ms } of await collect(cutIntoPieces(noise(35, []), 10))) expect(duration_ms).toBeLessThanOrEqual(10_000)
})

test('a piece with nothing in it is known as silent, a quiet room is not', async () => {
  async function* zeros(): AsyncGenerator<Float32Array> {
    yield new Float32Array(rate)
  }
  expect((await collect(cutIntoPieces(zeros())))[0]!.isSilent).toBe(true)
  expect((await collect(cutIntoPieces(noise(1, [[0, 1]]))))[0]!.isSilent).toBe(false)
})

test('no sound is no piece', async () => {
  async function* nothing(): AsyncGenerator<Float32Array> {}
  expect(await collect(cutIntoPieces(nothing()))).toEqual([])
})
