import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { silentLog } from '#base/log.ts'
import { createPullLoop } from '#core/sync/pull/pull.ts'

/** The loop with turns that end as told; what it rests is written down and over at once. */
function play(ends: (number | Error)[], isWanted: () => boolean = () => true) {
  const rests: (number | null)[] = []
  const firsts: boolean[] = []
  let isOver = (): void => {}
  const over = new Promise<void>((resolve) => (isOver = resolve))
  const loop = createPullLoop({
    log: silentLog,
    elapsed: () => 0,
    random: () => 1,
    isWanted,
    async turn(_signal, isFirst) {
      firsts.push(isFirst)
      const end = ends.shift() ?? 0
      if (end instanceof Error) throw end
      return end
    },
    wait: (ms, signal) => {
      rests.push(ms)
      if (ends.length > 0 && ms !== null) return Promise.resolve()
      isOver()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  })
  return { loop, rests, firsts, over }
}

const unreachable = (): AppError => new AppError('service-unreachable')

test('it comes back later and later, at most once a minute; as late as the service says, within an hour; a bug stops nothing', async () => {
  const busy = new AppError('quota-exceeded', undefined, [], { retrySeconds: 5400 })
  const ends = [...Array.from({ length: 8 }, unreachable), busy, new TypeError('a bug'), new AppError('unauthenticated'), 2000]
  const { loop, rests, over } = play(ends)
  loop.start()
  await over
  await loop.stop()
  const seconds = rests.map((ms) => ms! / 1000)
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 3600, 60, 900, 2])
})

test('with no practice’s service, or stopped by the person, it rests for good until it is woken', async () => {
  let isWanted = false
  const { loop, rests, over } = play([2000], () => isWanted)
  loop.start()
  await over
  expect(rests).toEqual([null])
  isWanted = true
  loop.wake()
  while (rests.length < 2) await new Promise((later) => setImmediate(later))
  await loop.stop()
  expect(rests).toEqual([null, 2000])
})

test('a turn is the first one until one ended well, and again after it was woken: another key may read what this one may not', async () => {
  const { loop, firsts, over } = play([unreachable(), 2000, 2000])
  loop.start()
  await over
  expect(firsts).toEqual([true, true, false])
  loop.wake()
  while (firsts.length < 4) await new Promise((later) => setImmediate(later))
  await loop.stop()
  expect(firsts).toEqual([true, true, false, true])
})
