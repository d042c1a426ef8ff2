import { expect, test } from 'vitest'
import type { Timer } from '#client/patience.ts'
import { waitInTime } from '#base/clock.ts'

const day = 86_400_000
/** What a timer of the platform can be set to; set to more it rings at once. */
const longest = 2 ** 31 - 1

/** A timer that rings when the test says so. */
function byHand() {
  const set: number[] = []
  let ring: (() => void) | null = null
  const timer: Timer = (ms, whenOver) => {
    set.push(ms)
    ring = whenOver
    return () => (ring = null)
  }
  return { set, timer, ring: () => ring?.(), isSet: () => ring !== null }
}

test('a wait of months is waited out in pieces that a timer can hold', async () => {
  const { set, timer, ring } = byHand()
  let isOver = false
  const waiting = waitInTime(60 * day, new AbortController().signal, timer).then(() => (isOver = true))
  ring()
  await Promise.resolve()
  expect([isOver, set.length]).toEqual([false, 2])
  ring()
  ring()
  await waiting
  expect(Math.max(...set)).toBeLessThanOrEqual(longest)
  expect(set.reduce((sum, ms) => sum + ms)).toBe(60 * day)
})

test('it ends with its signal, in whichever piece, and leaves no timer behind', async () => {
  const { timer, ring, isSet } = byHand()
  const control = new AbortController()
  const waiting = waitInTime(60 * day, control.signal, timer)
  ring()
  control.abort()
  await waiting
  expect(isSet()).toBe(false)
  await waitInTime(null, control.signal, timer)
})
