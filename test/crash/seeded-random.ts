import { randomInt } from 'node:crypto'

/** Random numbers that can be had again: AFTERWORD_SEED, or a new seed to be printed. */
export function seededRandom(seed = Number(process.env['AFTERWORD_SEED'] ?? randomInt(1, 2 ** 31))): {
  readonly random: () => number
  readonly seed: number
} {
  let state = seed
  // mulberry32
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { random, seed }
}
