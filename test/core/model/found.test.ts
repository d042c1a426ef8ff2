import { expect, test } from 'vitest'
import { found } from './found.ts'
import { play } from './play.ts'

test.each(found)('$promise', async ({ laptops, steps }) => {
  expect(await play(steps, laptops)).toEqual([])
})
