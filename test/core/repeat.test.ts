import { expect, test } from 'vitest'
import { repeat } from '#core/sync/repeat.ts'

test('a loop sleeps as long as its turn said, goes on at once when it is woken, and stops in its sleep', async () => {
  const rests = [5, 0, null, 7]
  const slept: (number | null)[] = []
  let asleep = Promise.withResolvers<void>()
  const loop = repeat(
    (ms, signal) => {
      slept.push(ms)
      if (ms !== null) return Promise.resolve()
      asleep.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    },
    async () => rests.shift() ?? null,
  )
  loop.start()
  loop.start()
  await asleep.promise
  expect(slept).toEqual([5, 0, null])
  asleep = Promise.withResolvers<void>()
  loop.wake()
  await asleep.promise
  expect(slept).toEqual([5, 0, null, 7, null])
  await loop.stop()
  expect(slept).toHaveLength(5)
})

test('a loop that is woken during a turn starts the next one without a sleep', async () => {
  const isWoken: boolean[] = []
  const ended = Promise.withResolvers<void>()
  const loop = repeat(
    () => Promise.reject(new Error('slept')),
    async (signal) => {
      if (isWoken.length < 2) loop.wake()
      else void loop.stop().then(ended.resolve)
      isWoken.push(signal.aborted)
      return 1
    },
  )
  loop.start()
  await ended.promise
  expect(isWoken).toEqual([true, true, true])
})
