import { expect, test } from 'vitest'
import { differingWords } from '#renderer/lib/differing-words.ts'

/** With what differs in brackets. */
function shown(mine: string, theirs: string): string[] {
  return differingWords(mine, theirs).map((pieces) =>
    pieces.map(({ text, differs }) => (differs ? `[${text.trimEnd()}]${text.slice(text.trimEnd().length)}` : text)).join(''),
  )
}

test('what the other side does not say is marked, with a lone word in the middle of it; the rest is not', () => {
  const here = 'Step 3: one bus stop, with a friend. Review on 9 December.'
  const there = 'Step 3: two bus stops, alone. Review on 2 December.'
  expect(shown(here, there)).toEqual([
    'Step 3: [one bus stop, with a friend.] Review on [9] December.',
    'Step 3: [two bus stops, alone.] Review on [2] December.',
  ])
  expect(shown('555 0122', '555 0111')).toEqual(['555 [0122]', '555 [0111]'])
  expect(shown('Take the bus', 'Take the bus alone')).toEqual(['Take the bus', 'Take the bus [alone]'])
  expect(shown('Go home now', 'Go straight home right now')).toEqual(['Go home now', 'Go [straight] home [right] now'])
  expect(shown('', 'Something')).toEqual(['', '[Something]'])
})
