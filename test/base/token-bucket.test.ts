import { expect, test } from 'vitest'
import { tokenBucket } from '#core/sync/send-audio.ts'
import { seededRandom } from '#test/crash/seeded-random.ts'

test('whoever waits as told never takes more than the rate and one second of it, and is not kept below the rate', () => {
  const { random, seed } = seededRandom()
  for (let round = 0; round < 200; round += 1) {
    let now = 1000 * random()
    const rate = 1 + Math.floor(random() * 100_000)
    const bucket = tokenBucket(rate, { elapsed: () => now })
    const begun = now
    let taken = 0
    let largest = 0
    for (let turn = 0; turn < 50; turn += 1) {
      const amount = 1 + Math.floor(random() * 2 * rate)
      largest = Math.max(largest, amount)
      now += bucket.waitMs()
      expect(bucket.waitMs(), `AFTERWORD_SEED=${seed}`).toBeLessThanOrEqual(1)
      bucket.take(amount)
      taken += amount
      expect(taken, `AFTERWORD_SEED=${seed}`).toBeLessThanOrEqual(rate * ((now - begun) / 1000 + 1) + largest + rate / 1000)
      // Somebody may do other things in between.
      if (random() < 0.2) now += 3000 * random()
    }
    const idle = now - begun
    expect(taken / rate, `AFTERWORD_SEED=${seed}`).toBeGreaterThan((idle / 1000) * 0.3)
  }
})

test('a second without anybody is a second in hand, an hour no more than that', () => {
  let now = 0
  const bucket = tokenBucket(1000, { elapsed: () => now })
  bucket.take(3000)
  expect(bucket.waitMs()).toBe(2000)
  now = 3_600_000
  bucket.take(1000)
  expect(bucket.waitMs()).toBe(1)
})
