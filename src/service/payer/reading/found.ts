import type { RawBenefit } from '../port.ts'

/** A value with the lines it was read from. Lines that disagree leave it null. */
export interface Found<Value> {
  readonly value: Value | null
  readonly rows: readonly string[]
  /** What the lines say where they disagree. */
  readonly conflict: readonly string[] | null
}

export const nothing: Found<never> = { value: null, rows: [], conflict: null }

export const rowName = ({ row }: Pick<RawBenefit, 'row'>): string => `EB#${row}`

/** What all these lines say together: one value, nothing, or things that do not fit. None is picked then. */
export function settle<Value extends string | number | object>(
  benefits: readonly RawBenefit[],
  read: (benefit: RawBenefit) => Value | null,
): Found<Value> {
  const said = benefits.flatMap((benefit) => {
    const value = read(benefit)
    return value === null ? [] : [{ value, row: rowName(benefit), text: textOf(value) }]
  })
  const [first] = said
  if (first === undefined) return nothing
  const rows = said.map(({ row }) => row)
  const texts = new Set(said.map(({ text }) => text))
  return texts.size === 1
    ? { value: first.value, rows, conflict: null }
    : { value: null, rows, conflict: said.map(({ text }) => text) }
}

/** By the lines that are nearest to what was asked, and only where those say nothing by the next ones. */
export function settleNearest<Value extends string | number | object>(
  tiers: readonly (readonly RawBenefit[])[],
  read: (benefit: RawBenefit) => Value | null,
): Found<Value> {
  for (const tier of tiers) {
    const found = settle(tier, read)
    if (found.rows.length > 0) return found
  }
  return nothing
}

const textOf = (value: string | number | object): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
