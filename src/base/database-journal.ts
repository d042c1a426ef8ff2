import { fstatSync, readSync } from 'node:fs'
import { changedBits, isAuthentic, PAGE_BYTES, readAt, type Repair, withBit } from './page-format.ts'

export const WAL_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
export const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
const MAX_GAP_BYTES = 16 * FRAME_BYTES
/** Maximum number of unreadable frames to test for one changed bit. One test takes up to about 0.3 s. */
const MAX_TRIED_FRAMES = 4

const noJournal = {
  has: (_number: number): boolean => false,
  read: (): Buffer | null => null,
  count: null,
  isDamaged: false,
  isForeign: false,
  opens: false,
}

/** Reads the committed pages of a WAL. `repair` is null if no page has shown that the key is right. */
export function readJournal(wal: number | null, macKey: Buffer, repair: Repair | null, repairsAll: boolean) {
  const pages = new Map<number, ReadFrame>()
  const header = wal === null ? null : readAt({ file: wal, at: 0 }, WAL_HEADER_BYTES)
  if (wal === null || header === null) return noJournal
  let [opens, hasChangedBit] = [false, false]
  let generation = isHeaderWhole(header) ? header.subarray(16, 24) : null
  let isDamaged = generation === null
  let [count, isLastTorn]: [number | null, boolean] = [null, false]
  const unreadable: Frame[] = []
  let uncommitted: [number, ReadFrame][] = []
  for (const frame of framesWith(wal, macKey, header, repairsAll ? repair : null)) {
    const { number, size, salts, read, isChanged } = frame
    hasChangedBit ||= isChanged
    if (read !== null) {
      opens = true
      generation ??= salts
      uncommitted.push([number, read])
    }
    const isOfGeneration = read !== null && salts.equals(generation!)
    if (!isOfGeneration) unreadable.push(frame)
    if (!isOfGeneration || size === 0) continue
    // Each commit is synced, so a power failure can damage only the last one. Damage before an earlier commit has another
    // cause.
    isDamaged ||= isLastTorn
    isLastTorn = unreadable.length > 0
    for (const [page, readFrame] of uncommitted) pages.set(page, readFrame)
    uncommitted = []
    count = size
  }
  hasChangedBit ||= !isDamaged && unreadable.slice(0, MAX_TRIED_FRAMES).some(({ canRepair }) => canRepair(repair))
  return {
    has: (number: number): boolean => pages.has(number),
    read: (number: number): Buffer | null => pages.get(number)?.() ?? null,
    count,
    isDamaged: hasChangedBit || (isDamaged && count !== null),
    isForeign: !opens && isInUse(wal, header),
    opens,
  }
}

type ReadFrame = () => Buffer | null

interface Frame {
  readonly number: number
  /** Pages of the database after this commit; 0 if this frame does not end a commit. */
  readonly size: number
  readonly salts: Buffer
  readonly read: ReadFrame | null
  readonly isChanged: boolean
  readonly canRepair: (repair: Repair | null) => boolean
}

function* framesWith(wal: number, macKey: Buffer, walHeader: Buffer, repair: Repair | null): Generator<Frame> {
  const frameAt = (at: number): Buffer | null => readAt({ file: wal, at }, FRAME_BYTES)
  const pageAt = (at: number): Buffer | null => frameAt(at)?.subarray(FRAME_HEADER_BYTES) ?? null
  const generation = isHeaderWhole(walHeader) ? walHeader.subarray(16, 24) : null
  let at = WAL_HEADER_BYTES
  let sums = checksumOfHeader(walHeader)
  for (let frame = frameAt(at); frame !== null; frame = frameAt(at)) {
    const [start, page] = [at, frame.subarray(FRAME_HEADER_BYTES)]
    const isOfGeneration = generation !== null && changedBits(frame.subarray(8, 16), generation) <= 1
    const header = isOfGeneration ? repairHeader(walHeader, frame, sums) : null
    sums = header?.sums ?? [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    const numbers = header?.numbers ?? frame
    const [number, size] = [numbers.readUInt32BE(0), numbers.readUInt32BE(4)]
    const salts = header === null ? frame.subarray(8, 16) : generation!
    const isChanged = header !== null && !(header.isWhole && frame.subarray(8, 16).equals(salts))
    const isWhole = isAuthentic(macKey, page, number)
    at = isWhole || generation === null ? at + FRAME_BYTES : nextFrame(wal, at, generation)
    const end = at > start + FRAME_BYTES ? pageAt(at - FRAME_BYTES) : null
    const repaired = isWhole || !isOfGeneration ? null : (repair?.(page, number, end) ?? null)
    const read = isWhole ? () => pageAt(start) : repaired && (() => repaired)
    const canRepair = (by: Repair | null): boolean => isOfGeneration && !isWhole && (by?.(page, number, null) ?? null) !== null
    yield { number, size, salts, read, isChanged, canRepair }
  }
}

function repairHeader(walHeader: Buffer, frame: Buffer, before: Checksum) {
  const stored = frame.subarray(16, FRAME_HEADER_BYTES)
  const numbers = frame.subarray(0, 8)
  const sumsOf = (tried: Buffer): Checksum =>
    checksum(walHeader, frame.subarray(FRAME_HEADER_BYTES), checksum(walHeader, tried, before))
  const sums = sumsOf(numbers)
  const changed = changedBits(bytesOf(sums), stored)
  if (changed <= 1) return { numbers, sums, isWhole: changed === 0 }
  for (let bit = 0; bit < numbers.length * 8; bit += 1) {
    const tried = withBit(numbers, bit)
    const triedSums = sumsOf(tried)
    if (isChecksum(triedSums, stored)) return { numbers: tried, sums: triedSums, isWhole: false }
  }
  return null
}

function bytesOf([first, second]: Checksum): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(first)
  bytes.writeUInt32BE(second, 4)
  return bytes
}

function nextFrame(wal: number, at: number, generation: Buffer): number {
  const bytes = Buffer.alloc(MAX_GAP_BYTES)
  const ownSalts = at + 8
  const length = readSync(wal, bytes, 0, MAX_GAP_BYTES, ownSalts + 1)
  const found = bytes.subarray(0, length).indexOf(generation)
  return at + (found === -1 ? FRAME_BYTES : found + 1)
}

function isInUse(wal: number, header: Buffer): boolean {
  const frame = readAt({ file: wal, at: WAL_HEADER_BYTES }, FRAME_BYTES)
  if (frame === null) return false
  if (!isHeaderWhole(header)) return header.some((byte) => byte !== 0)
  return frame.subarray(8, 16).equals(header.subarray(16, 24)) && isFirstFrameWhole(header, frame)
}

export function framesOf(wal: number): number[] {
  const count = Math.max(0, Math.floor((fstatSync(wal).size - WAL_HEADER_BYTES) / FRAME_BYTES))
  return Array.from({ length: count }, (_, index) => WAL_HEADER_BYTES + index * FRAME_BYTES)
}

type Checksum = readonly [number, number]

/** WAL checksum (SQLite file format, 4.2) over pairs of 32-bit words. The magic number in the WAL header sets the byte order. */
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

const isFirstFrameWhole = (header: Buffer, frame: Buffer): boolean =>
  repairHeader(header, frame, checksumOfHeader(header))?.isWhole === true
