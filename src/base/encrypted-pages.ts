import { closeSync, fstatSync, openSync } from 'node:fs'
import { isFile } from './durable-file.ts'
import { FRAME_BYTES, FRAME_HEADER_BYTES, framesOf, readJournal, WAL_HEADER_BYTES } from './database-journal.ts'
import {
  createRepair,
  decrypt,
  deriveMacKey,
  isAuthentic,
  keptSalts,
  numberOf,
  PAGE_BYTES,
  readAt,
  SALT_BYTES,
} from './page-format.ts'
import { pagesAtTheirPlace, type Range, type ReadPage, searchPages } from './page-search.ts'

/** SQLite never writes the page at 1 GiB (SQLite file format, section 1.4). */
const LOCKING_PAGE = 2 ** 30 / PAGE_BYTES + 1

export interface Pages {
  readonly count: number
  read(number: number): Buffer | null
  isReadable(number: number): boolean
}

export interface EncryptedPages extends Pages {
  readonly ofFile: Pages
  readonly isJournalDamaged: boolean
  /** True if SQLite would read or overwrite the WAL although the key decrypts none of its pages. */
  readonly isJournalForeign: boolean
  readonly isOfOtherSize: boolean
  readonly behind: number | null
  readonly isJournalOfOtherState: boolean
  readonly opensJournal: boolean
  opensFile(): boolean
  [Symbol.dispose](): void
}

interface Options {
  readonly journal?: string
  /** Byte offset of the database in the file. If the offset is above 0, no WAL is read. */
  readonly from?: number
  /** To find the MAC key, also try pages at other offsets, and the salt with any one byte changed. */
  readonly triesSalts?: boolean
  readonly repairs?: boolean
  /** Files that may have pages of this database, for example after a repair of the file system. None may be open in SQLite. */
  readonly others?: readonly string[]
}

/**
 * Opens the database read-only, with its WAL applied. Never call it while this process has the file open in SQLite: closing any
 * descriptor of the file drops the POSIX locks that the process holds on it.
 */
export function openEncryptedPages(
  path: string,
  key: Uint8Array,
  { journal: journalPath = `${path}-wal`, from = 0, triesSalts = true, repairs = false, others = [] }: Options = {},
): EncryptedPages {
  const files = [path, from > 0 ? '' : journalPath].map((name) => (isFile(name) ? openSync(name, 'r') : null))
  const [file, wal] = files as [number | null, number | null]
  const otherFiles = others.filter(isFile).map((name) => openSync(name, 'r'))
  const size = file === null ? 0 : fstatSync(file).size
  const whole = file === null ? null : { file, from, to: size }
  const { macKey, opened } = macKeyOf(key, saltsOf(path, whole, wal), sampleOf(whole, wal), triesSalts ? whole : null)
  const read: ReadPage = whole === null ? () => null : pagesAtTheirPlace(whole, macKey)
  const first = read(1)
  const stated = first === null ? 0 : pageCount(decrypt(key, first, 1)) * PAGE_BYTES
  const behind =
    whole !== null && stated > 0 && isDatabaseAt({ ...whole, from: from + stated }, key, macKey) ? from + stated : null
  const range = whole === null ? null : { ...whole, to: behind ?? size }
  const stored = range === null ? 0 : Math.ceil((range.to - range.from) / PAGE_BYTES)
  let isOpened = opened?.isOfFile === true ? true : null
  const opensFile = (): boolean => (isOpened ??= numbersTo(stored).some((number) => read(number) !== null))
  const repair = opened !== null || (repairs && opensFile()) ? createRepair(macKey) : null
  const journal = readJournal(wal, macKey, repair, repairs)
  const view = (count: number, bytesOf: ReadPage): Pages => ({
    count,
    isReadable: (number) => bytesOf(number) !== null,
    read: (number) => {
      const page = bytesOf(number)
      return page === null ? null : decrypt(key, page, number)
    },
  })
  const inFile =
    range === null || repair === null || !repairs
      ? { count: stored, read }
      : searchPages({
          range,
          others: otherFiles.map((other) => ({ file: other, from: 0, to: fstatSync(other).size })),
          macKey,
          repair,
          movedBy: opened?.movedBy ?? 0,
          countIn: (first) => pageCount(decrypt(key, first, 1)),
        })
  const count = journal.count ?? inFile.count
  return {
    ...view(count, (number) => journal.read(number) ?? inFile.read(number)),
    ofFile: view(inFile.count, inFile.read),
    isJournalDamaged: journal.isDamaged,
    isJournalForeign: journal.isForeign,
    isOfOtherSize: journal.count === null && stated > 0 && size - from !== stated,
    behind,
    isJournalOfOtherState: numbersTo(count).some((number) => number > stored && number !== LOCKING_PAGE && !journal.has(number)),
    opensJournal: journal.opens,
    opensFile,
    [Symbol.dispose]: () => {
      macKey.fill(0)
      for (const open of [...files, ...otherFiles]) if (open !== null) closeSync(open)
    },
  }
}

const pageCount = (first: Buffer): number => first.readUInt32BE(28)

export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

function isDatabaseAt(range: Range, key: Uint8Array, macKey: Buffer): boolean {
  const salt = readAt({ file: range.file, at: range.from }, SALT_BYTES)
  const macKeys = salt === null ? [] : [macKey, deriveMacKey(key, salt)]
  return macKeys.some((tried) => [1, 2, 3].some((number) => pagesAtTheirPlace(range, tried)(number) !== null))
}

interface Sample {
  readonly page: Buffer
  readonly number: number
  readonly isOfFile: boolean
}

/** How many pages may be cut off before the first page in a file: 64 MiB. */
const MAX_MISSING_PAGES = 2 ** 14

function sampleOf(range: Range | null, wal: number | null): Sample[] {
  const count = range === null ? 0 : Math.ceil((range.to - range.from) / PAGE_BYTES)
  const numbers = [2, 3, Math.floor(count / 2), count - 1, count, 1].filter((number) => number >= 1 && number <= count)
  const sample =
    range === null
      ? []
      : [...new Set(numbers)].flatMap((number): Sample[] => {
          const page = readAt({ file: range.file, at: range.from + (number - 1) * PAGE_BYTES }, PAGE_BYTES)
          return page === null ? [] : [{ page, number, isOfFile: true }]
        })
  const frame = wal === null ? null : readAt({ file: wal, at: WAL_HEADER_BYTES }, FRAME_BYTES)
  if (frame === null) return sample
  return [...sample, { page: frame.subarray(FRAME_HEADER_BYTES), number: frame.readUInt32BE(0), isOfFile: false }]
}

function saltsOf(path: string, range: Range | null, wal: number | null): Buffer[] {
  const stored = range === null ? null : readAt({ file: range.file, at: range.from }, SALT_BYTES)
  const journaled = (wal === null ? [] : framesOf(wal)).map((at) => {
    const frame = readAt({ file: wal!, at }, FRAME_HEADER_BYTES + SALT_BYTES)
    return frame?.readUInt32BE(0) === 1 ? frame.subarray(FRAME_HEADER_BYTES) : null
  })
  return [stored, ...journaled, ...keptSalts(path, stored)].filter((salt) => salt !== null)
}

/**
 * Tests the salts on all sample pages. If `moved` is given, then also on some of its pages with any page number, and
 * then the first salt with any one byte changed: 4,080 candidates, on two pages of the sample.
 */
function macKeyOf(key: Uint8Array, salts: readonly Buffer[], sample: readonly Sample[], moved: Range | null) {
  const macKeys = salts.map((salt) => deriveMacKey(key, salt))
  const openedBy = (macKey: Buffer, pages: readonly Sample[]) => {
    const opened = pages.find(({ page, number }) => isAuthentic(macKey, page, number))
    return opened === undefined ? null : { macKey, opened: { isOfFile: opened.isOfFile, movedBy: 0 } }
  }
  const found = firstOf(macKeys, (macKey) => openedBy(macKey, sample))
  if (found !== null) return found
  const none = { macKey: macKeys[0] ?? deriveMacKey(key, Buffer.alloc(SALT_BYTES)), opened: null }
  if (moved === null) return none
  const farShifted = (macKey: Buffer) => {
    const movedBy = farShiftOf(moved, macKey)
    return movedBy === null ? null : { macKey, opened: { isOfFile: true, movedBy } }
  }
  return (
    firstOf(macKeys, farShifted) ??
    firstOf(variantsOf(salts[0]), (salt) => openedBy(deriveMacKey(key, salt), sample.slice(0, 2))) ??
    none
  )
}

function firstOf<Item, Found>(items: Iterable<Item>, look: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = look(item)
    if (found !== null) return found
  }
  return null
}

function* variantsOf(salt: Buffer | undefined): Generator<Buffer> {
  if (salt === undefined) return
  for (let index = 0; index < SALT_BYTES; index += 1) {
    for (let change = 1; change < 256; change += 1) {
      const other = Buffer.from(salt)
      other[index] = other[index]! ^ change
      yield other
    }
  }
}

/** How far pages were moved by bytes inserted before them (positive) or cut away, where the end of the file is unchanged. */
function farShiftOf({ file, from, to }: Range, macKey: Buffer): number | null {
  const count = Math.floor((to - from) / PAGE_BYTES)
  for (const before of new Set([0, 1, count >> 2, count >> 1])) {
    const at = to - (before + 1) * PAGE_BYTES
    const page = at < from ? null : readAt({ file, at }, PAGE_BYTES)
    const number = page === null ? null : numberOf(macKey, page, numbersTo(count + MAX_MISSING_PAGES))
    if (number !== null) return at - from - (number - 1) * PAGE_BYTES
  }
  return null
}
