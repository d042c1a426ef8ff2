/** Numbers that come in the same order for the same seed (mulberry32). */
export interface Random {
  /** 0 to 1. */
  next(): number
  below(end: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(share: number): boolean
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return { next, below, pick: (items) => items[below(items.length)]!, chance: (share) => next() < share }
}
