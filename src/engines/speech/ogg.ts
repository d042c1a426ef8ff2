import { AppError } from '#contract/errors.ts'

/** One page's packets, in order, with what they said of time (RFC 3533, RFC 7845). */
export interface OggPage {
  /** Samples at 48 kHz up to the end of this page, pre-skip included; null where no packet ends on it. */
  readonly granule: bigint | null
  readonly isLast: boolean
  readonly packets: readonly Uint8Array[]
}

const capture = Buffer.from('OggS')
const headerBytes = 27
/** No Opus packet is larger (RFC 6716, 3.4), metadata packets aside, which are dropped beyond this. */
const largestPacket = 128 * 1024

/**
 * Reads the pages of the first stream of an Ogg file as its bytes come. A page whose checksum is wrong is skipped and
 * reading goes on at the next one.
 */
export async function* readOgg(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OggPage> {
  let rest: Buffer = Buffer.alloc(0)
  let serial: number | null = null
  let open: Uint8Array[] = []
  for await (const chunk of withEnd(bytes)) {
    // Copied: whoever reads the file may use its buffer again.
    if (chunk !== null) rest = Buffer.concat([rest, chunk])
    for (;;) {
      const page = nextPage(rest, chunk === null)
      rest = rest.subarray(page.used)
      if (page.found === null) break
      serial ??= page.found.readUInt32LE(14)
      if (page.found.readUInt32LE(14) !== serial) continue
      const { packets, unfinished } = packetsOf(page.found, open)
      open = unfinished
      const granule = page.found.readBigInt64LE(6)
      yield { granule: granule < 0n ? null : granule, isLast: (page.found[5]! & 4) !== 0, packets }
    }
  }
}

async function* withEnd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  yield* bytes
  yield null
}

/** The first whole page in `bytes` and how many bytes were used up, broken ones before it included. */
function nextPage(bytes: Buffer, isEnd: boolean): { used: number; found: Buffer | null } {
  let at = 0
  for (;;) {
    const start = bytes.indexOf(capture, at)
    // The last three bytes may be the beginning of a page's mark.
    if (start < 0) return { used: Math.max(at, bytes.length - 3), found: null }
    const end = endOfPage(bytes, start)
    if (end === null && !isEnd) return { used: start, found: null }
    const page = bytes.subarray(start, end ?? start)
    if (page.length > headerBytes && checksum(page) === page.readUInt32LE(22)) return { used: start + page.length, found: page }
    // A mark that begins no whole page: the next one is looked for behind it.
    at = start + 1
  }
}

/** Null where the page goes on behind what is there. What cannot be a page ends at once. */
function endOfPage(bytes: Buffer, start: number): number | null {
  const version = bytes[start + 4]
  const flags = bytes[start + 5]
  if ((version !== undefined && version !== 0) || (flags !== undefined && flags > 7)) return start
  if (bytes.length < start + headerBytes) return null
  const tableEnd = start + headerBytes + bytes[start + 26]!
  if (bytes.length < tableEnd) return null
  let end = tableEnd
  for (let index = start + headerBytes; index < tableEnd; index += 1) end += bytes[index]!
  return end <= bytes.length ? end : null
}

function packetsOf(page: Buffer, open: Uint8Array[]): { packets: Uint8Array[]; unfinished: Uint8Array[] } {
  const table = page.subarray(headerBytes, headerBytes + page[26]!)
  const packets: Uint8Array[] = []
  const isContinued = (page[5]! & 1) !== 0
  // What was begun on a page that is lost, or continues on none, cannot be used.
  let parts = isContinued ? open : []
  let isOrphan = isContinued && open.length === 0
  let offset = headerBytes + table.length
  for (const length of table) {
    parts.push(page.subarray(offset, offset + length))
    offset += length
    if (length === 255) continue
    if (!isOrphan) packets.push(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    parts = []
    isOrphan = false
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return { packets: packets.filter((packet) => packet.length > 0), unfinished: isOrphan || size > largestPacket ? [] : parts }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value >>> 0
})

/** CRC-32 with polynomial 0x04c11db7, unreflected, its own field taken as zero (RFC 3533, 6). */
function checksum(page: Buffer): number {
  let value = 0
  for (let index = 0; index < page.length; index += 1) {
    const byte = index >= 22 && index < 26 ? 0 : page[index]!
    value = ((value << 8) ^ table[((value >>> 24) ^ byte) & 0xff]!) >>> 0
  }
  return value
}

export interface OpusHead {
  readonly channels: 1 | 2
  /** Samples at 48 kHz. */
  readonly pre_skip: number
}

/** @throws AppError `unsupported-media` for anything but mono or stereo Opus (RFC 7845, 5.1) */
export function readOpusHead(packet: Uint8Array): OpusHead {
  const head = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  const channels = head[9]
  const isPlain = head.length >= 19 && head.toString('latin1', 0, 8) === 'OpusHead' && head[8]! < 16 && head[18] === 0
  if (!isPlain || (channels !== 1 && channels !== 2))
    throw new AppError('unsupported-media', 'Only mono or stereo Opus in Ogg can be read.')
  return { channels, pre_skip: head.readUInt16LE(10) }
}
