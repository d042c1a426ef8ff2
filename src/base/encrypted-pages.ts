import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { FRAME_BYTES, FRAME_HEADER_BYTES, framesOf, readJournal, WAL_HEADER_BYTES } from './database-journal.ts'
import { decrypt, deriveMacKey, isAuthentic, PAGE_BYTES, readAt, SALT_BYTES, type Source } from './page-format.ts'
import { keptSalts } from './salts.ts'

/** The page at 1 GiB is never written (SQLite file format, section 1.4). */
const LOCKING_PAGE = 2 ** 30 / PAGE_BYTES + 1

/** The pages of an encrypted database, read without SQLite, which rejects the whole file for one damaged page. */
export interface Pages {
  readonly count: number
  /** Null if the page fails authentication. */
  read(number: number): Buffer | null
  isReadable(number: number): boolean
}

export interface EncryptedPages extends Pages {
  readonly ofFile: Pages
  /** SQLite would drop commits in the WAL: its header, or a frame that later commits follow, is damaged. */
  readonly isJournalDamaged: boolean
  /** SQLite would read or overwrite the WAL, but none of its pages can be decrypted with this key. */
  readonly isJournalForeign: boolean
  /** The WAL refers to pages that neither it nor the file has, so it belongs to another state of the file. */
  readonly isJournalOfOtherState: boolean
  readonly opensJournal: boolean
  opensFile(): boolean
  close(): void
}

interface Options {
  readonly journal?: string
  /** Search for a damaged salt. Costs 0.2 s if the file has another key. */
  readonly triesSalts?: boolean
}

/**
 * Opens the database with its WAL applied, as of the last commit. Read-only. Never call it while this process has the file open
 * in SQLite: closing any descriptor drops the process's POSIX locks.
 */
export function openEncryptedPages(
  path: string,
  key: Uint8Array,
  { journal: journalPath = `${path}-wal`, triesSalts = true }: Options = {},
): EncryptedPages {
  const isFile = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() === true
  const files = [path, journalPath].map((name) => (isFile(name) ? openSync(name, 'r') : null))
  const [file, wal] = files as [number | null, number | null]
  const stored = file === null ? 0 : Math.ceil(fstatSync(file).size / PAGE_BYTES)
  const stores = (number: number): Source | null =>
    file === null || number > stored ? null : { file, at: (number - 1) * PAGE_BYTES }
  const macKey = macKeyOf(key, saltsOf(path, file, wal), sampleOf(stores, stored, wal), triesSalts)
  const journal = readJournal(wal, macKey)
  const view = (count: number, sourcesOf: (number: number) => readonly (Source | null)[]): Pages => {
    const bytesOf = (number: number): Buffer | null => {
      for (const source of sourcesOf(number)) {
        const page = source === null ? null : readAt(source, PAGE_BYTES)
        if (page !== null && isAuthentic(macKey, page, number)) return page
      }
      return null
    }
    return {
      count,
      isReadable: (number) => bytesOf(number) !== null,
      read: (number) => {
        const page = bytesOf(number)
        return page === null ? null : decrypt(key, page, number)
      },
    }
  }
  const ofFile = view(stored, (number) => [stores(number)])
  const count = journal.count ?? stored
  return {
    ...view(count, (number) => [...(journal.pages.get(number) ?? []), stores(number)]),
    ofFile,
    isJournalDamaged: journal.isDamaged,
    isJournalForeign: journal.isForeign,
    isJournalOfOtherState: numbersTo(count).some(
      (number) => number > stored && number !== LOCKING_PAGE && !journal.pages.has(number),
    ),
    opensJournal: journal.opens,
    opensFile: () => numbersTo(stored).some(ofFile.isReadable),
    close: () => {
      macKey.fill(0)
      for (const open of files) if (open !== null) closeSync(open)
    },
  }
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** A few pages to test salts on, far from page 1, which may share the salt's damage. */
function sampleOf(stores: (number: number) => Source | null, count: number, wal: number | null): [number, Buffer][] {
  const numbers = [2, 3, Math.floor(count / 2), count - 1, count, 1].filter((number) => number >= 1 && number <= count)
  const sample = [...new Set(numbers)].flatMap((number): [number, Buffer][] => {
    const page = readAt(stores(number)!, PAGE_BYTES)
    return page === null ? [] : [[number, page]]
  })
  const frame = wal === null ? null : readAt({ file: wal, at: WAL_HEADER_BYTES }, FRAME_BYTES)
  return frame === null ? sample : [...sample, [frame.readUInt32BE(0), frame.subarray(FRAME_HEADER_BYTES)]]
}

/** The salt is the first 16 bytes of page 1, in the file or its WAL. salts.json has a copy. */
function saltsOf(path: string, file: number | null, wal: number | null): Buffer[] {
  const stored = file === null ? null : readAt({ file, at: 0 }, SALT_BYTES)
  const journaled = (wal === null ? [] : framesOf(wal)).map((at) => {
    const frame = readAt({ file: wal!, at }, FRAME_HEADER_BYTES + SALT_BYTES)
    return frame?.readUInt32BE(0) === 1 ? frame.subarray(FRAME_HEADER_BYTES) : null
  })
  return [stored, ...journaled, ...keptSalts(path)].filter((salt) => salt !== null)
}

type Sample = readonly [number, Buffer][]

/** Also repairs a salt with one damaged byte: 4,080 candidates, tested on two pages. */
function macKeyOf(key: Uint8Array, salts: readonly Buffer[], sample: Sample, triesSalts: boolean): Buffer {
  const opens = (macKey: Buffer, most = sample.length): boolean =>
    sample.slice(0, most).some(([number, page]) => isAuthentic(macKey, page, number))
  for (const salt of salts) {
    const macKey = deriveMacKey(key, salt)
    if (opens(macKey)) return macKey
  }
  for (const salt of triesSalts ? salts.slice(0, 1) : []) {
    for (let index = 0; index < SALT_BYTES; index += 1) {
      for (let change = 1; change < 256; change += 1) {
        const other = Buffer.from(salt)
        other[index] = other[index]! ^ change
        const macKey = deriveMacKey(key, other)
        if (opens(macKey, 2)) return macKey
      }
    }
  }
  return deriveMacKey(key, salts[0] ?? Buffer.alloc(SALT_BYTES))
}
