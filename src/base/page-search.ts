import { isAuthentic, isOverwritten, numberOf, PAGE_BYTES, readAt, type Repair } from './page-format.ts'

export interface Range {
  readonly file: number
  readonly from: number
  readonly to: number
}

export type ReadPage = (number: number) => Buffer | null

const MAX_OFFSETS = 2 ** 16
const MAX_WINDOW = 2 ** 15

export const pagesAtTheirPlace =
  ({ file, from }: Range, macKey: Buffer): ReadPage =>
  (number) => {
    const page = readAt({ file, at: from + (number - 1) * PAGE_BYTES }, PAGE_BYTES)
    return page !== null && isAuthentic(macKey, page, number) ? page : null
  }

function likelyShifts({ from, to }: Range, count: number, movedBy: number): number[] {
  const rest = (to - from) % PAGE_BYTES
  return [...new Set([movedBy, 0, to - from - count * PAGE_BYTES, rest, rest - PAGE_BYTES])]
}

interface Search {
  readonly range: Range
  /** Other files that may have pages of this one. */
  readonly others: readonly Range[]
  readonly macKey: Buffer
  readonly repair: Repair
  /** How many bytes after its place one of the pages was found; negative if before. */
  readonly movedBy: number
  readonly countIn: (first: Buffer) => number
}

export function searchPages({ range, others, macKey, repair, movedBy, countIn }: Search) {
  const { file, from, to } = range
  const at = (number: number, shift: number): number => from + (number - 1) * PAGE_BYTES + shift
  const bytesAt = (start: number, length: number): Buffer | null =>
    start < from || start + length > to ? null : readAt({ file, at: start }, length)
  const authenticAt = (number: number, shift: number): Buffer | null => {
    const page = bytesAt(at(number, shift), PAGE_BYTES)
    return page !== null && isAuthentic(macKey, page, number) ? page : null
  }
  const repairAt = (number: number, before: number, after = before): Buffer | null => {
    const page = bytesAt(at(number, before), PAGE_BYTES)
    return page === null ? null : repair(page, number, after > before ? bytesAt(at(number, after), PAGE_BYTES) : null)
  }
  const stored = Math.ceil((to - from - movedBy) / PAGE_BYTES)
  const likely = likelyShifts(range, stored, movedBy)
  const [ofFirst, ofSecond] = [1, 2].map((number) => likely.find((shift) => authenticAt(number, shift) !== null))
  const first =
    ofFirst === undefined ? (repairAt(1, 0, ofSecond) ?? firstElsewhere([range, ...others], macKey)) : authenticAt(1, ofFirst)
  const count = first === null ? stored : countIn(first) || stored
  const shifts = locate(authenticAt, likelyShifts(range, count, movedBy), count)
  const located = new Set(shifts.flatMap((shift, number) => (shift === undefined ? [] : [at(number, shift)])))
  const missing = new Set(Array.from({ length: count }, (_, index) => index + 1).filter((number) => shifts[number] === undefined))
  missing.delete(1)
  const repaired = new Map<number, Buffer | null>([[1, first], ...pagesElsewhere({ range, others, macKey, located, missing })])
  const repairedOf = (number: number): Buffer | null => {
    const [before, after] = [shifts[number - 1], shifts[number + 1]]
    return repairAt(number, before ?? after ?? 0, after)
  }
  const read: ReadPage = (number) => {
    const shift = shifts[number]
    if (shift !== undefined) return bytesAt(at(number, shift), PAGE_BYTES)
    if (!repaired.has(number)) repaired.set(number, number > count ? null : repairedOf(number))
    return repaired.get(number)!
  }
  return { count, read }
}

const MAX_TESTS = 2 ** 21

function* loosePages([range, ...others]: readonly Range[], located: ReadonlySet<number>): Generator<Buffer> {
  for (const { file, from, to } of [range!, ...others]) {
    for (let at = from; at + PAGE_BYTES <= to; at += PAGE_BYTES) {
      const page = file === range!.file && located.has(at) ? null : readAt({ file, at }, PAGE_BYTES)
      if (page !== null && !isOverwritten(page)) yield page
    }
  }
}

function firstElsewhere(ranges: readonly Range[], macKey: Buffer): Buffer | null {
  for (const page of loosePages(ranges, new Set())) if (isAuthentic(macKey, page, 1)) return page
  return null
}

interface Elsewhere extends Pick<Search, 'range' | 'others' | 'macKey'> {
  /** Where the pages of this file were found. */
  readonly located: ReadonlySet<number>
  readonly missing: ReadonlySet<number>
}

/** Finds missing pages in the places of other pages and in the other files, by their authentication codes. */
function* pagesElsewhere({ range, others, macKey, located, missing }: Elsewhere): Generator<[number, Buffer]> {
  const sought = new Set(missing)
  let tests = MAX_TESTS
  for (const page of loosePages([range, ...others], located)) {
    tests -= sought.size
    if (sought.size === 0 || tests < 0) return
    const number = numberOf(macKey, page, sought)
    if (number === null) continue
    sought.delete(number)
    yield [number, page]
  }
}

type AuthenticAt = (number: number, shift: number) => Buffer | null

function locate(authenticAt: AuthenticAt, likely: readonly number[], count: number): (number | undefined)[] {
  const found: (number | undefined)[] = []
  const known = [...likely]
  const window = Math.min(Math.max(PAGE_BYTES, ...likely.map(Math.abs)), MAX_WINDOW)
  let [current, unreadable, offsets] = [0, 0, MAX_OFFSETS]
  for (let number = 1; number <= count; number += 1) {
    let shift = [current, ...known].find((tried) => authenticAt(number, tried) !== null)
    unreadable = shift === undefined ? unreadable + 1 : 0
    // Search at the 2nd, 4th, 8th, ... unreadable page in a row: one damaged page does not show a shift, and searches are slow.
    if (shift === undefined && unreadable >= 2 && Number.isInteger(Math.log2(unreadable)) && offsets > 0) {
      offsets -= 2 * window
      shift = nearby(current, window).find((tried) => authenticAt(number, tried) !== null)
      if (shift !== undefined) known.unshift(shift)
    }
    if (shift === undefined) continue
    found[number] = current = shift
    for (let back = number - 1; back >= 1 && found[back] === undefined && authenticAt(back, shift) !== null; back -= 1)
      found[back] = shift
    unreadable = 0
  }
  return found
}

const nearby = (middle: number, window: number): number[] =>
  Array.from({ length: window }, (_, index) => [middle + index + 1, middle - index - 1]).flat()
