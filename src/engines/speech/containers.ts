import { AppError } from '#contract/errors.ts'

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  codec: 0x86,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const

const entered: ReadonlySet<number> = new Set([ids.segment, ids.info, ids.cluster, ids.blockGroup])
const read: ReadonlySet<number> = new Set([ids.timestampScale, ids.tracks, ids.timestamp, ids.simpleBlock, ids.block])
const MAX_ELEMENT = 1024 * 1024

type OpusPart = { readonly head: Uint8Array } | { readonly bytes: Uint8Array; readonly at: number }

export async function* readWebm(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OpusPart> {
  let track: number | null = null
  let scale = 1_000_000
  let cluster = 0
  for await (const { id, content } of elements(bytes)) {
    if (id === ids.timestampScale) scale = number(content)
    else if (id === ids.timestamp) cluster = number(content)
    else if (id === ids.tracks) {
      const found = opusTrack(content)
      track = found.number
      yield { head: found.head }
    } else if (track !== null) {
      const block = readBlock(content)
      if (block.track === track) yield { bytes: block.bytes, at: ((cluster + block.time) * scale) / 1_000_000 }
    }
  }
  if (track === null) throw unreadable()
}

interface Element {
  readonly id: number
  readonly content: Buffer
}

async function* elements(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Element> {
  let rest: Buffer = Buffer.alloc(0)
  let skip = 0
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const passed = Math.min(skip, rest.length)
      rest = rest.subarray(passed)
      skip -= passed
      const head = skip === 0 ? headOf(rest) : null
      if (head === null) break
      const { id, length, size } = head
      if (read.has(id)) {
        if (size > MAX_ELEMENT) throw unreadable()
        if (rest.length < length + size) break
        yield { id, content: Buffer.from(rest.subarray(length, length + size)) }
        rest = rest.subarray(length + size)
      } else {
        rest = rest.subarray(length)
        if (!entered.has(id)) skip = size
      }
    }
  }
}

/** Reads the ID and the size of a WebM element; null if the buffer ends too early. An unknown size becomes Infinity. */
function headOf(bytes: Buffer): { id: number; length: number; size: number } | null {
  const idLength = vintLength(bytes[0])
  if (idLength === null || bytes.length < idLength) return null
  if (idLength > 4) throw unreadable()
  const sizeLength = vintLength(bytes[idLength])
  if (sizeLength === null || bytes.length < idLength + sizeLength) return null
  const size = vint(bytes, idLength, sizeLength)
  return { id: bytes.readUIntBE(0, idLength), length: idLength + sizeLength, size }
}

function vintLength(first: number | undefined): number | null {
  if (first === undefined) return null
  if (first === 0) throw unreadable()
  return Math.clz32(first) - 23
}

function vint(bytes: Buffer, at: number, length: number): number {
  let value = bytes[at]! & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = 1; index < length; index += 1) {
    value = value * 256 + bytes[at + index]!
    isUnknown &&= bytes[at + index] === 0xff
  }
  return isUnknown ? Infinity : value
}

function* childrenOf(content: Buffer): Generator<Element> {
  for (let at = 0; at < content.length;) {
    const head = headOf(content.subarray(at))
    if (head === null) return
    const start = at + head.length
    at = start + head.size
    yield { id: head.id, content: content.subarray(start, at) }
  }
}

function opusTrack(tracks: Buffer): { number: number; head: Uint8Array } {
  for (const entry of childrenOf(tracks)) {
    const fields = new Map([...childrenOf(entry.content)].map(({ id, content }) => [id, content]))
    const [named, codec, head] = [ids.trackNumber, ids.codec, ids.codecPrivate].map((id) => fields.get(id))
    if (entry.id === ids.trackEntry && named && head && codec?.toString('latin1').startsWith('A_OPUS'))
      return { number: number(named), head }
  }
  throw unreadable()
}

function readBlock(content: Buffer): { track: number; time: number; bytes: Uint8Array } {
  const length = vintLength(content[0])
  if (length === null || content.length < length + 3) throw unreadable()
  if ((content[length + 2]! & 0x06) !== 0) throw unreadable()
  return { track: vint(content, 0, length), time: content.readInt16BE(length), bytes: content.subarray(length + 3) }
}

const number = (content: Buffer): number => content.reduce((value, byte) => value * 256 + byte, 0)

const unreadable = (): AppError => new AppError('unsupported-media', 'This WebM file holds no Opus sound that can be read.')

export interface OggPage {
  /** Samples at 48 kHz up to the end of this page, pre-skip included; null if no packet ends on the page. */
  readonly granule: bigint | null
  readonly isLast: boolean
  readonly packets: readonly Uint8Array[]
}

const capture = Buffer.from('OggS')
const HEADER_BYTES = 27
/** In bytes. The limit for an unfinished packet, larger than any Opus packet (RFC 6716, 3.4). */
const MAX_PACKET = 128 * 1024

export async function* readOgg(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OggPage> {
  let rest: Buffer = Buffer.alloc(0)
  let serial: number | null = null
  let open: Uint8Array[] = []
  for await (const chunk of withEnd(bytes)) {
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

function nextPage(bytes: Buffer, isEnd: boolean): { used: number; found: Buffer | null } {
  let at = 0
  for (;;) {
    const start = bytes.indexOf(capture, at)
    // The last three bytes may be the start of a capture pattern.
    if (start < 0) return { used: Math.max(at, bytes.length - 3), found: null }
    const end = endOfPage(bytes, start)
    if (end === null && !isEnd) return { used: start, found: null }
    const page = bytes.subarray(start, end ?? start)
    if (page.length > HEADER_BYTES && checksum(page) === page.readUInt32LE(22)) return { used: start + page.length, found: page }
    at = start + 1
  }
}

function endOfPage(bytes: Buffer, start: number): number | null {
  const version = bytes[start + 4]
  const flags = bytes[start + 5]
  if ((version !== undefined && version !== 0) || (flags !== undefined && flags > 7)) return start
  if (bytes.length < start + HEADER_BYTES) return null
  const tableEnd = start + HEADER_BYTES + bytes[start + 26]!
  if (bytes.length < tableEnd) return null
  let end = tableEnd
  for (let index = start + HEADER_BYTES; index < tableEnd; index += 1) end += bytes[index]!
  return end <= bytes.length ? end : null
}

function packetsOf(page: Buffer, open: Uint8Array[]): { packets: Uint8Array[]; unfinished: Uint8Array[] } {
  const table = page.subarray(HEADER_BYTES, HEADER_BYTES + page[26]!)
  const packets: Uint8Array[] = []
  const isContinued = (page[5]! & 1) !== 0
  let parts = isContinued ? open : []
  let isOrphan = isContinued && open.length === 0
  let offset = HEADER_BYTES + table.length
  for (const length of table) {
    parts.push(page.subarray(offset, offset + length))
    offset += length
    if (length === 255) continue
    if (!isOrphan) packets.push(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    parts = []
    isOrphan = false
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  return { packets: packets.filter((packet) => packet.length > 0), unfinished: isOrphan || size > MAX_PACKET ? [] : parts }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value >>> 0
})

/** CRC-32 with polynomial 0x04c11db7, unreflected. The checksum field counts as zero (RFC 3533, 6). */
function checksum(page: Buffer): number {
  let value = 0
  for (let index = 0; index < page.length; index += 1) {
    const byte = index >= 22 && index < 26 ? 0 : page[index]!
    value = ((value << 8) ^ table[((value >>> 24) ^ byte) & 0xff]!) >>> 0
  }
  return value
}

export function readOpusHead(packet: Uint8Array): { channels: 1 | 2; pre_skip: number } {
  const head = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  const channels = head[9]
  const isPlain = head.length >= 19 && head.toString('latin1', 0, 8) === 'OpusHead' && head[8]! < 16 && head[18] === 0
  if (!isPlain || (channels !== 1 && channels !== 2))
    throw new AppError('unsupported-media', 'Only mono or stereo Opus in Ogg can be read.')
  return { channels, pre_skip: head.readUInt16LE(10) }
}
