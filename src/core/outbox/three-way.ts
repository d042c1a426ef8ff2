import { isDeepStrictEqual } from 'node:util'

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (record: object): Fields => record as Fields

export interface ThreeWay {
  readonly base: Fields
  readonly mine: Fields
  readonly theirs: Fields
  /**
   * Field values that this laptop may have sent. A value in `theirs` that equals one of them is not a change by the other side.
   */
  readonly sent?: readonly Fields[]
}

export interface Merged {
  readonly record: Fields
  readonly taken: readonly string[]
  readonly kept: readonly string[]
  /** Names of fields that both sides changed to different values. `record` has the values of `mine`. */
  readonly both: readonly string[]
}

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

export const isSame = (left: unknown, right: unknown): boolean => isDeepStrictEqual(left ?? null, right ?? null)
