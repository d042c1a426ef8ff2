/** Ogg pages (RFC 3533) of an Opus stream (RFC 7845). The bytes do not depend on the time or the app version. */
import { crc32 as idChecksum } from 'node:zlib'
import type { AudioFormat } from '#contract/model/recording.ts'
import { idBytes, lacingOf } from './format.ts'

export const PAGE_HEADER_BYTES = 27
export const MAX_PAGE_SEGMENTS = 255
export const PAGE_UNITS = 400
const FIRST_PAGE = 0x02
const LAST_PAGE = 0x04
const VENDOR = 'Afterword'

export interface OggPage {
  readonly serial: number
  readonly number: number
  /** Samples at 48 kHz up to the end of the page, including pre-skip (RFC 7845, 4). */
  readonly granule: number
  readonly isLast: boolean
  readonly packets: readonly Uint8Array[]
}

export const serialOf = (recordingId: string): number => idChecksum(idBytes(recordingId))

export function encodePage(page: OggPage): Buffer {
  const lacing = lacingOf(page.packets)
  const head = Buffer.alloc(PAGE_HEADER_BYTES)
  head.write('OggS', 0, 'latin1')
  head.writeUInt8((page.number === 0 ? FIRST_PAGE : 0) | (page.isLast ? LAST_PAGE : 0), 5)
  head.writeBigUInt64LE(BigInt(page.granule), 6)
  head.writeUInt32LE(page.serial, 14)
  head.writeUInt32LE(page.number, 18)
  head.writeUInt8(lacing.length, 26)
  const bytes = Buffer.concat([head, lacing, ...page.packets])
  bytes.writeUInt32LE(pageChecksum(bytes), 22)
  return bytes
}

export function headPages(recordingId: string, format: AudioFormat, isLast: boolean): Buffer {
  const serial = serialOf(recordingId)
  const head = Buffer.alloc(19)
  head.write('OpusHead', 0, 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(format.channels, 9)
  head.writeUInt16LE(format.pre_skip, 10)
  head.writeUInt32LE(format.input_sample_rate, 12)
  const tags = Buffer.alloc(8 + 4 + VENDOR.length + 4)
  tags.write('OpusTags', 0, 'latin1')
  tags.writeUInt32LE(VENDOR.length, 8)
  tags.write(VENDOR, 12, 'latin1')
  return Buffer.concat([
    encodePage({ serial, number: 0, granule: 0, isLast: false, packets: [head] }),
    encodePage({ serial, number: 1, granule: 0, isLast, packets: [tags] }),
  ])
}

/** Table for the CRC-32 of RFC 3533: polynomial 0x04c11db7, initial value 0, not reflected. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value
})

function pageChecksum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) sum = (sum << 8) ^ table[(sum >>> 24) ^ byte]!
  return sum >>> 0
}
