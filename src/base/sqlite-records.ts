import { USABLE_BYTES } from './page-format.ts'

export type SqliteValue = null | number | bigint | string | Buffer

export type PageKind = 'table' | 'tables' | 'index' | 'indexes'

const kinds: Readonly<Record<number, PageKind>> = { 0x0d: 'table', 0x05: 'tables', 0x0a: 'index', 0x02: 'indexes' }

/** `local`: the part of the record that is on this page; null if the cell has no record. */
export type Cell = ReturnType<typeof readCell>

export function readTreePage(page: Buffer, number: number) {
  const start = number === 1 ? 100 : 0
  const kind = kinds[page[start]!]
  if (kind === undefined) return null
  const isInterior = kind === 'tables' || kind === 'indexes'
  const count = page.readUInt16BE(start + 3)
  const pointers = start + (isInterior ? 12 : 8)
  if (pointers + count * 2 > USABLE_BYTES) return null
  try {
    const cells = Array.from({ length: count }, (_, index) => readCell(page, page.readUInt16BE(pointers + index * 2), kind))
    return { kind, cells, right: isInterior ? page.readUInt32BE(start + 8) : null }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function readCell(page: Buffer, start: number, kind: PageKind) {
  const isInterior = kind === 'tables' || kind === 'indexes'
  const child = isInterior ? page.readUInt32BE(start) : null
  let at = start + (isInterior ? 4 : 0)
  if (kind === 'tables') return { child, rowid: readVarint(page, at)[0], local: null, length: 0, overflow: 0 }
  const [size, afterSize] = readVarint(page, at)
  const length = Number(size)
  at = afterSize
  let rowid: number | bigint | null = null
  if (kind === 'table') [rowid, at] = readVarint(page, at)
  const here = localBytes(length, kind)
  if (at + here > USABLE_BYTES) throw new RangeError('a cell ends behind its page')
  const overflow = here < length ? page.readUInt32BE(at + here) : 0
  return { child, rowid, local: page.subarray(at, at + here), length, overflow }
}

function localBytes(length: number, kind: PageKind): number {
  const most = kind === 'table' ? USABLE_BYTES - 35 : Math.floor(((USABLE_BYTES - 12) * 64) / 255) - 23
  if (length <= most) return length
  const least = Math.floor(((USABLE_BYTES - 12) * 32) / 255) - 23
  const some = least + ((length - least) % (USABLE_BYTES - 4))
  return some <= most ? some : least
}

export function readRecord(bytes: Buffer): SqliteValue[] | null {
  try {
    const [header, first] = readVarint(bytes, 0)
    const values: SqliteValue[] = []
    let [at, body] = [first, Number(header)]
    while (at < Number(header)) {
      const [type, next] = readVarint(bytes, at)
      const length = lengthOf(Number(type))
      if (body + length > bytes.length) return values
      values.push(readValue(bytes, body, Number(type), length))
      at = next
      body += length
    }
    return values
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type]!
}

function readValue(bytes: Buffer, at: number, type: number, length: number): SqliteValue {
  if (type >= 12) {
    const value = bytes.subarray(at, at + length)
    return type % 2 === 0 ? Buffer.from(value) : value.toString('utf8')
  }
  if (type === 0 || type > 9) return null
  if (type >= 8) return type - 8
  if (type === 7) return bytes.readDoubleBE(at)
  return type === 6 ? narrow(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, length)
}

function readVarint(bytes: Buffer, start: number): [value: number | bigint, next: number] {
  let value = 0
  for (let index = 0; index < 7; index += 1) {
    const byte = bytes.readUInt8(start + index)
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, start + index + 1]
  }
  let long = BigInt(value)
  const eighth = bytes.readUInt8(start + 7)
  long = (long << 7n) | BigInt(eighth & 127)
  if (eighth < 128) return [narrow(long), start + 8]
  return [narrow(BigInt.asIntN(64, (long << 8n) | BigInt(bytes.readUInt8(start + 8)))), start + 9]
}

const narrow = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
