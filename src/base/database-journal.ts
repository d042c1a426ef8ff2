import { fstatSync, readSync } from 'node:fs'
import { isAuthentic, PAGE_BYTES, readAt } from './page-format.ts'
import type { Repair } from './page-repair.ts'
import type { ReadPage } from './page-search.ts'

export const WAL_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
export const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
/** How far to look for the frame behind damage. */
const MAX_GAP_BYTES = 16 * FRAME_BYTES

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

/** Frames after the last commit were never acknowledged, or belong to an earlier generation, which has other salts. */
export function readJournal(wal: number | null, macKey: Buffer, repair: Repair | null): Journal {
  const pages = new Map<number, ReadFrame>()
  const header = wal === null ? null : readAt({ file: wal, at: 0 }, WAL_HEADER_BYTES)
  if (wal === null || header === null) return noJournal
  let opens = false
  let generation = isHeaderWhole(header) ? header.subarray(16, 24) : null
  let isDamaged = generation === null
  let [count, unreadable, isLastTorn]: [number | null, number, boolean] = [null, 0, false]
  let uncommitted: [number, ReadFrame][] = []
  for (const { number, size, salts, read } of readableFrames(wal, macKey, generation, repair)) {
    if (read !== null) {
      opens = true
      generation ??= salts
      uncommitted.push([number, read])
    }
    const isOfGeneration = read !== null && salts.equals(generation!)
    if (!isOfGeneration) unreadable += 1
    if (!isOfGeneration || size === 0) continue
    // A power failure may cut off the last commit; one that other commits follow was durable.
    isDamaged ||= isLastTorn
    isLastTorn = unreadable > 0
    for (const [page, readFrame] of uncommitted) pages.set(page, readFrame)
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

type ReadFrame = () => Buffer | null

interface Frame {
  readonly number: number
  /** Pages of the database after this commit; 0 within a commit. */
  readonly size: number
  readonly salts: Buffer
  /** Null: unreadable. */
  readonly read: ReadFrame | null
}

/** @param generation salts by which frames behind inserted or removed bytes are found */
function* readableFrames(wal: number, macKey: Buffer, generation: Buffer | null, repair: Repair | null): Generator<Frame> {
  const pageAt = (at: number): Buffer | null => readAt({ file: wal, at: at + FRAME_HEADER_BYTES }, PAGE_BYTES)
  let at = WAL_HEADER_BYTES
  for (let page = pageAt(at); page !== null; page = pageAt(at)) {
    const start = at
    const header = readAt({ file: wal, at }, FRAME_HEADER_BYTES)!
    const [number, size, salts] = [header.readUInt32BE(0), header.readUInt32BE(4), header.subarray(8, 16)]
    if (isAuthentic(macKey, page, number)) {
      at += FRAME_BYTES
      yield { number, size, salts, read: () => pageAt(start) }
      continue
    }
    at = generation === null ? at + FRAME_BYTES : nextFrame(wal, at, generation)
    const end = at > start + FRAME_BYTES ? pageAt(at - FRAME_BYTES) : null
    const isOfGeneration = generation !== null && salts.equals(generation)
    const repaired = repair === null || !isOfGeneration ? null : repair(page, number, end)
    yield { number, size, salts, read: repaired && (() => repaired) }
  }
}

function nextFrame(wal: number, at: number, generation: Buffer): number {
  const bytes = Buffer.alloc(MAX_GAP_BYTES)
  const ownSalts = at + 8
  const length = readSync(wal, bytes, 0, MAX_GAP_BYTES, ownSalts + 1)
  const found = bytes.subarray(0, length).indexOf(generation)
  return at + (found === -1 ? FRAME_BYTES : found + 1)
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
