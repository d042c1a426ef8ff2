import { expect, test } from 'vitest'
import { allPages } from '#client/answer.ts'

test('a list is read page by page to its end, also from a service that returns a cursor twice', async () => {
  const cursors: unknown[] = []
  const list = (pages: readonly (string | null)[]) =>
    allPages(async ({ cursor }) => {
      cursors.push(cursor)
      return { data: { data: [cursors.length], next_cursor: pages[cursors.length - 1]! } }
    })
  expect(await list(['a', 'b', null])).toEqual([1, 2, 3])
  expect(cursors.splice(0)).toEqual([undefined, 'a', 'b'])
  expect(await list(['a', 'a'])).toEqual([1, 2])
})
