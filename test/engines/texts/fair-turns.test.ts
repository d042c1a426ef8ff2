import { expect, test } from 'vitest'
import { createFairTurns } from '#engines/texts/text-engines.ts'

const never = new AbortController().signal

/** Takes the turns of these names in this order of asking; what is handed back says who had theirs, and ends one. */
function asking(width: number, names: readonly string[], signals: readonly AbortSignal[] = []) {
  const turns = createFairTurns(width)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const asked = names.map(async (name, index) => {
    const end = await turns.take(name.charAt(0), signals[index] ?? never)
    begun.push(name)
    ends.set(name, end)
  })
  const settled = async (): Promise<void> => {
    for (let times = 0; times < 10; times += 1) await Promise.resolve()
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await settled()
  }
  return { begun, end, settled, asked }
}

test('one name has one turn at a time, and names take turns whatever each has waiting', async () => {
  const { begun, end, settled } = asking(2, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun.slice(2)).toEqual(['a2'])
  await end('a2')
  expect(begun.slice(3)).toEqual(['c1'])
  await end('b1')
  expect(begun.slice(4)).toEqual(['b2'])
  await end('c1')
  expect(begun.slice(5)).toEqual(['a3'])
})

test('a turn that ends twice frees one place', async () => {
  const { begun, end, settled } = asking(1, ['a1', 'b1', 'c1'])
  await settled()
  await end('a1')
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
})

test('whoever gives up waiting is passed over', async () => {
  const control = new AbortController()
  const { begun, end, settled, asked } = asking(1, ['a1', 'b1', 'c1'], [never, control.signal, never])
  await settled()
  const gaveUp = expect(asked[1]).rejects.toThrow('enough')
  control.abort(new Error('enough'))
  await gaveUp
  await end('a1')
  expect(begun).toEqual(['a1', 'c1'])
})
