import { isDeepStrictEqual } from 'node:util'

export type Fields = Readonly<Record<string, unknown>>

/** A record, looked at by the names of its fields. */
export const fieldsOf = (record: object): Fields => record as Fields

export interface ThreeWay {
  /** What both last agreed on. */
  readonly base: Fields
  readonly mine: Fields
  readonly theirs: Fields
  /** Values of a field that were sent from here, whether or not an answer came: the other side's having one is no change of theirs. */
  readonly sent?: readonly Fields[]
}

export interface Merged {
  /** Every field that was compared. */
  readonly record: Fields
  /** Changed there alone, or to the same on both sides. */
  readonly taken: readonly string[]
  /** Changed here alone: still to be told. */
  readonly kept: readonly string[]
  /** Changed on both sides, and not to the same: `record` has them as they are here. */
  readonly both: readonly string[]
}

/** Field by field; a field that is a list counts as a whole. */
export function threeWay(names: readonly string[], { base, mine, theirs, sent = [] }: ThreeWay): Merged {
  const record: Record<string, unknown> = {}
  const [taken, kept, both]: [string[], string[], string[]] = [[], [], []]
  for (const name of names) {
    const isOwn = isSame(theirs[name], base[name]) || sent.some((patch) => name in patch && isSame(patch[name], theirs[name]))
    record[name] = mine[name]
    if (isSame(mine[name], theirs[name])) {
      if (!isSame(mine[name], base[name])) taken.push(name)
    } else if (isOwn) kept.push(name)
    else if (isSame(mine[name], base[name])) {
      record[name] = theirs[name]
      taken.push(name)
    } else both.push(name)
  }
  return { record, taken, kept, both }
}

/** What was left out says the same as what is empty. */
export function isSame(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(left ?? null, right ?? null)
}
