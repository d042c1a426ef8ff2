import { AppError } from '#contract/errors.ts'

/** Matroska, RFC 9559; ids with their length marks. */
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

/** What only holds others is gone into, of whatever length it says it is. */
const entered: ReadonlySet<number> = new Set([ids.segment, ids.info, ids.cluster, ids.blockGroup])
const read: ReadonlySet<number> = new Set([ids.timestampScale, ids.tracks, ids.timestamp, ids.simpleBlock, ids.block])
/** No element that is read whole is longer. */
const longestElement = 1024 * 1024

export interface OpusTrack {
  /** An OpusHead packet (RFC 7845, 5.1). */
  readonly head: Uint8Array
}

export interface OpusPacket {
  readonly bytes: Uint8Array
  /** Milliseconds on the file's own clock. */
  readonly at: number
}

/**
 * The first Opus track of a WebM file as its bytes come: its head, then its packets in order.
 *
 * @throws AppError `unsupported-media`
 */
export async function* readWebm(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OpusTrack | OpusPacket> {
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

/** Elements that are read, whole; all others are gone into or passed over. */
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
        if (size > longestElement) throw unreadable()
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

/** Null where it goes on behind what is there. An unknown size (all ones) comes out as Infinity. */
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
  // Several frames in one block: nobody writes Opus so.
  if ((content[length + 2]! & 0x06) !== 0) throw unreadable()
  return { track: vint(content, 0, length), time: content.readInt16BE(length), bytes: content.subarray(length + 3) }
}

const number = (content: Buffer): number => content.reduce((value, byte) => value * 256 + byte, 0)

function unreadable(): AppError {
  return new AppError('unsupported-media', 'This WebM file holds no Opus sound that can be read.')
}
