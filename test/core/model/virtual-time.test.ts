import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { virtualTime } from './virtual-time.ts'

test('what is long under way is waited for, also where nothing else happens meanwhile', async () => {
  const time = virtualTime()
  const done = time.begin('a first question')
  let isDone = false
  void (async () => {
    for (let turn = 0; turn < 120_000; turn += 1) await setImmediate()
    isDone = true
    done()
  })()
  await time.pass(1)
  expect(isDone).toBe(true)
})

test('what is done again and again without waiting never comes to rest, and is named', async () => {
  const time = virtualTime()
  let isOver = false
  const loop = (async () => {
    while (!isOver) {
      const done = time.begin('the same question')
      await setImmediate()
      done()
    }
  })()
  await expect(time.quiet()).rejects.toThrow(/^it never comes to rest: the same question$/)
  isOver = true
  await loop
})
