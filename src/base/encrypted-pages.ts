import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { keptSalts } from './salts.ts'

/**
 * Reads the pages of an encrypted database without SQLite, which rejects the whole file for one damaged page. Format: SQLCipher
 * 4 with a raw key; each page is AES-256-CBC and ends with a 16-byte nonce and HMAC-SHA512.
 */
export const PAGE_BYTES = 4096
const NONCE_BYTES = 16
const MAC_BYTES = 64
export const USABLE_BYTES = PAGE_BYTES - NONCE_BYTES - MAC_BYTES
/** The page at 1 GiB is never written (SQLite file format, section 1.4). */
const LOCKING_PAGE = 2 ** 30 / PAGE_BYTES + 1
const SALT_BYTES = 16
const SALT_MASK = 0x3a
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
const plainHeader = Buffer.from('SQLite format 3\0')

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

interface Source {
  readonly file: number
  readonly at: number
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

interface Journal {
  readonly pages: ReadonlyMap<number, readonly Source[]>
  readonly count: number | null
  readonly isDamaged: boolean
  readonly isForeign: boolean
  readonly opens: boolean
}

const noJournal: Journal = { pages: new Map(), count: null, isDamaged: false, isForeign: false, opens: false }

/** Frames with other salts belong to an earlier generation. Frames after the last commit were never acknowledged. */
function readJournal(wal: number | null, macKey: Buffer): Journal {
  const pages = new Map<number, Source[]>()
  const header = wal === null ? null : readAt({ file: wal, at: 0 }, WAL_HEADER_BYTES)
  if (wal === null || header === null) return noJournal
  let opens = false
  let generation = isHeaderWhole(header) ? header.subarray(16, 24) : null
  let isDamaged = generation === null
  let [count, unreadable, isLastTorn]: [number | null, number, boolean] = [null, 0, false]
  let uncommitted: [number, Source][] = []
  for (const at of framesOf(wal)) {
    const frame = readAt({ file: wal, at }, FRAME_BYTES)!
    const [number, size] = [frame.readUInt32BE(0), frame.readUInt32BE(4)]
    if (!isAuthentic(macKey, frame.subarray(FRAME_HEADER_BYTES), number)) {
      unreadable += 1
      continue
    }
    opens = true
    generation ??= frame.subarray(8, 16)
    if (!frame.subarray(8, 16).equals(generation)) continue
    uncommitted.push([number, { file: wal, at: at + FRAME_HEADER_BYTES }])
    if (size === 0) continue
    // A power failure may cut off the last commit; one that other commits follow was durable.
    isDamaged ||= isLastTorn
    isLastTorn = unreadable > 0
    for (const [page, source] of uncommitted) pages.set(page, [source, ...(pages.get(page) ?? [])])
    uncommitted = []
    count = size
  }
  return { pages, count, isDamaged: isDamaged && count !== null, isForeign: !opens && isInUse(wal, header), opens }
}

/** False if a power failure cut off the first commit of the WAL, which was never acknowledged. */
function isInUse(wal: number, header: Buffer): boolean {
  const frame = readAt({ file: wal, at: WAL_HEADER_BYTES }, FRAME_BYTES)
  if (frame === null) return false
  return isHeaderWhole(header) ? isFirstFrameWhole(header, frame) : header.some((byte) => byte !== 0)
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

function framesOf(wal: number): number[] {
  const count = Math.max(0, Math.floor((fstatSync(wal).size - WAL_HEADER_BYTES) / FRAME_BYTES))
  return Array.from({ length: count }, (_, index) => WAL_HEADER_BYTES + index * FRAME_BYTES)
}

type Checksum = readonly [number, number]

/** Checksum of the SQLite file format, section 4.2: pairs of 32-bit words in the byte order that the magic number names. */
function checksum(header: Buffer, bytes: Buffer, [first, second]: Checksum): Checksum {
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  const sums = [first, second] as [number, number]
  for (let at = 0; at < bytes.length; at += 8) {
    sums[0] = (sums[0] + word(at) + sums[1]) >>> 0
    sums[1] = (sums[1] + word(at + 4) + sums[0]) >>> 0
  }
  return sums
}

const isChecksum = (sums: Checksum, stored: Buffer): boolean =>
  sums[0] === stored.readUInt32BE(0) && sums[1] === stored.readUInt32BE(4)

const checksumOfHeader = (header: Buffer): Checksum => checksum(header, header.subarray(0, 24), [0, 0])

const isHeaderWhole = (header: Buffer): boolean => isChecksum(checksumOfHeader(header), header.subarray(24))

function isFirstFrameWhole(header: Buffer, frame: Buffer): boolean {
  const numbers = checksum(header, frame.subarray(0, 8), checksumOfHeader(header))
  const sums = checksum(header, frame.subarray(FRAME_HEADER_BYTES), numbers)
  return frame.subarray(8, 16).equals(header.subarray(16, 24)) && isChecksum(sums, frame.subarray(16))
}

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

const deriveMacKey = (key: Uint8Array, salt: Buffer): Buffer =>
  pbkdf2Sync(
    key,
    salt.map((byte) => byte ^ SALT_MASK),
    2,
    32,
    'sha512',
  )

function isAuthentic(macKey: Buffer, page: Buffer, number: number): boolean {
  const littleEndian = Buffer.alloc(4)
  littleEndian.writeUInt32LE(number)
  const mac = createHmac('sha512', macKey)
    .update(page.subarray(number === 1 ? SALT_BYTES : 0, USABLE_BYTES + NONCE_BYTES))
    .update(littleEndian)
    .digest()
  return timingSafeEqual(mac, page.subarray(USABLE_BYTES + NONCE_BYTES, PAGE_BYTES))
}

function decrypt(key: Uint8Array, page: Buffer, number: number): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, page.subarray(USABLE_BYTES, USABLE_BYTES + NONCE_BYTES))
  decipher.setAutoPadding(false)
  const plain = decipher.update(page.subarray(number === 1 ? SALT_BYTES : 0, USABLE_BYTES))
  return number === 1 ? Buffer.concat([plainHeader, plain]) : plain
}

function readAt({ file, at }: Source, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : null
}
