import { fstatSync } from 'node:fs'
import { isAuthentic, PAGE_BYTES, readAt } from './page-format.ts'
import type { Repair } from './page-repair.ts'
import type { ReadPage } from './page-search.ts'

export const WAL_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
export const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES

export interface Journal {
  readonly has: (number: number) => boolean
  readonly read: ReadPage
  readonly count: number | null
  readonly isDamaged: boolean
  readonly isForeign: boolean
  readonly opens: boolean
}

const noJournal: Journal = {
  has: () => false,
  read: () => null,
  count: null,
  isDamaged: false,
  isForeign: false,
  opens: false,
}

/** Frames with other salts belong to an earlier generation. Frames after the last commit were never acknowledged. */
export function readJournal(wal: number | null, macKey: Buffer, repair: Repair | null): Journal {
  const pages = new Map<number, () => Buffer | null>()
  const header = wal === null ? null : readAt({ file: wal, at: 0 }, WAL_HEADER_BYTES)
  if (wal === null || header === null) return noJournal
  let opens = false
  let generation = isHeaderWhole(header) ? header.subarray(16, 24) : null
  let isDamaged = generation === null
  let [count, unreadable, isLastTorn]: [number | null, number, boolean] = [null, 0, false]
  let uncommitted: [number, () => Buffer | null][] = []
  for (const at of framesOf(wal)) {
    const frame = readAt({ file: wal, at }, FRAME_BYTES)!
    const [number, size, salts] = [frame.readUInt32BE(0), frame.readUInt32BE(4), frame.subarray(8, 16)]
    const stored = frame.subarray(FRAME_HEADER_BYTES)
    const isWhole = isAuthentic(macKey, stored, number)
    const repaired = !isWhole && generation?.equals(salts) === true ? (repair?.(stored, number) ?? null) : null
    if (!isWhole && repaired === null) {
      unreadable += 1
      continue
    }
    opens = true
    generation ??= salts
    if (!salts.equals(generation)) continue
    uncommitted.push([number, () => repaired ?? readAt({ file: wal, at: at + FRAME_HEADER_BYTES }, PAGE_BYTES)])
    if (size === 0) continue
    // A power failure may cut off the last commit; one that other commits follow was durable.
    isDamaged ||= isLastTorn
    isLastTorn = unreadable > 0
    for (const [page, read] of uncommitted) pages.set(page, read)
    uncommitted = []
    count = size
  }
  return {
    has: (number) => pages.has(number),
    read: (number) => pages.get(number)?.() ?? null,
    count,
    isDamaged: isDamaged && count !== null,
    isForeign: !opens && isInUse(wal, header),
    opens,
  }
}

/** False if a power failure cut off the first commit of the WAL, which was never acknowledged. */
function isInUse(wal: number, header: Buffer): boolean {
  const frame = readAt({ file: wal, at: WAL_HEADER_BYTES }, FRAME_BYTES)
  if (frame === null) return false
  return isHeaderWhole(header) ? isFirstFrameWhole(header, frame) : header.some((byte) => byte !== 0)
}

export function framesOf(wal: number): number[] {
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
