/**
 * The recording file, `recordings/<recording id>.afr`. Big-endian; offsets and lengths in bytes.
 *
 *     file     = header (256 bytes), record*, then zeros until the file is closed (preallocated)
 *     header   =   0  8  'AFRECORD'
 *                  8  2  version, 1
 *                 12 16  recording id        28 16  session id        44 8  created, ms since 1970
 *                 52  4  input sample rate   56  4  bitrate           60 2  pre-skip    62 1  channels    63 1  codec, 1: Opus
 *                 64  2  length of the wrapped recording key, 0 without a key     66 ..  the wrapped key
 *                252  4  CRC-32 of bytes 0 to 251
 *     record   =   0  4  magic
 *                  4  1  kind: 1 audio, 2 gap, 3 final     5  1  zero
 *                  6  2  duration                           in units of 2.5 ms, the shortest Opus frame (RFC 6716, 3.1)
 *                  8  4  sequence: audio records before this one
 *                 12  4  position: audio before this one    in units of 2.5 ms
 *                 16  2  length of the payload
 *                 18  4  CRC-32 of bytes 0 to 17
 *                 22 ..  nonce, AES-256-GCM ciphertext, tag; associated data: recording id, then bytes 0 to 17
 *     audio    = peak (2), rms (2), wall time ms (6), segment count (1), Ogg lacing values of the packets (RFC 3533, 6), packets
 *     gap      = reason (1), wall time ms (6), duration ms (4); duration 0: the gap begins here
 *     final    = wall time ms (6)
 *
 * The database has a copy of the header. After damage, a reader searches for the next magic with a valid CRC, and the
 * position shows how much sound is missing. Playback orders audio records by position and skips copies. Records are written
 * one at a time, so a crash tears at most one record, which was not acknowledged.
 */
import { crc32 } from 'node:zlib'
import { uuidOf } from '#base/ids.ts'
import { SEAL_OVERHEAD, open, seal } from '#base/aead.ts'
import { type AudioFormat, type GapReason, gapReasonSchema } from '#contract/model/recording.ts'

const FILE_MAGIC = Buffer.from('AFRECORD', 'latin1')
const FILE_VERSION = 1
export const FILE_HEADER_BYTES = 256
const MAX_WRAPPED_KEY_BYTES = 180
export const RECORD_MAGIC = Buffer.from([0xaf, 0x52, 0x1e, 0xc5])
export const RECORD_HEADER_BYTES = 22
const AUTHENTICATED_BYTES = 18
const MAX_PAYLOAD_BYTES = 0xffff
export const MAX_RECORD_BYTES = RECORD_HEADER_BYTES + MAX_PAYLOAD_BYTES
const LEVEL_SCALE = 0xffff
/** Samples at 48 kHz in a unit of 2.5 ms. */
export const UNIT_SAMPLES = 120

export type RecordKind = 'audio' | 'gap' | 'final'
const kindCodes = { audio: 1, gap: 2, final: 3 } as const satisfies Record<RecordKind, number>
const kinds = new Map(Object.entries(kindCodes).map(([kind, code]): [number, RecordKind] => [code, kind as RecordKind]))
/** Stored by index, so new reasons must be added at the end. */
const gapReasons = gapReasonSchema.options

export interface FileHeader {
  readonly recording_id: string
  readonly session_id: string
  readonly created_ms: number
  readonly format: AudioFormat
  readonly wrapped_key: Uint8Array | null
}

export interface RecordHeader {
  readonly kind: RecordKind
  readonly units: number
  readonly sequence: number
  readonly position: number
  readonly payload_bytes: number
}

export interface AudioPayload {
  readonly peak: number
  readonly rms: number
  readonly at: number
  readonly packets: readonly Uint8Array[]
}

export interface GapPayload {
  readonly reason: GapReason
  readonly at: number
  readonly duration_ms: number
}

export const unitsToMs = (units: number): number => Math.floor((units * 5) / 2)
export const msToUnits = (ms: number): number => Math.ceil((ms * 2) / 5)

export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

export function encodeFileHeader(header: FileHeader): Buffer {
  const wrapped = header.wrapped_key ?? new Uint8Array(0)
  if (wrapped.length > MAX_WRAPPED_KEY_BYTES) throw new Error('wrapped key too long for the header')
  const bytes = Buffer.alloc(FILE_HEADER_BYTES)
  FILE_MAGIC.copy(bytes, 0)
  bytes.writeUInt16BE(FILE_VERSION, 8)
  idBytes(header.recording_id).copy(bytes, 12)
  idBytes(header.session_id).copy(bytes, 28)
  bytes.writeBigUInt64BE(BigInt(header.created_ms), 44)
  bytes.writeUInt32BE(header.format.input_sample_rate, 52)
  bytes.writeUInt32BE(header.format.bitrate, 56)
  bytes.writeUInt16BE(header.format.pre_skip, 60)
  bytes.writeUInt8(header.format.channels, 62)
  bytes.writeUInt8(1, 63)
  bytes.writeUInt16BE(wrapped.length, 64)
  bytes.set(wrapped, 66)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, FILE_HEADER_BYTES - 4)), FILE_HEADER_BYTES - 4)
  return bytes
}

export function decodeFileHeader(bytes: Buffer): FileHeader | null {
  if (bytes.length < FILE_HEADER_BYTES || !bytes.subarray(0, 8).equals(FILE_MAGIC)) return null
  if (bytes.readUInt16BE(8) !== FILE_VERSION) return null
  if (crc32(bytes.subarray(0, FILE_HEADER_BYTES - 4)) !== bytes.readUInt32BE(FILE_HEADER_BYTES - 4)) return null
  const keyBytes = bytes.readUInt16BE(64)
  return {
    recording_id: uuidOf(bytes.subarray(12, 28)),
    session_id: uuidOf(bytes.subarray(28, 44)),
    created_ms: Number(bytes.readBigUInt64BE(44)),
    format: {
      codec: 'opus',
      input_sample_rate: bytes.readUInt32BE(52),
      channels: 1,
      bitrate: bytes.readUInt32BE(56),
      pre_skip: bytes.readUInt16BE(60),
    },
    wrapped_key: keyBytes === 0 ? null : Buffer.from(bytes.subarray(66, 66 + keyBytes)),
  }
}

export function encodeRecord(
  key: Uint8Array,
  recordingId: Buffer,
  header: Omit<RecordHeader, 'payload_bytes'>,
  plain: Uint8Array,
): Buffer {
  const payloadBytes = plain.length + SEAL_OVERHEAD
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw new Error('record too long')
  const clear = Buffer.alloc(RECORD_HEADER_BYTES)
  RECORD_MAGIC.copy(clear, 0)
  clear.writeUInt8(kindCodes[header.kind], 4)
  clear.writeUInt16BE(header.units, 6)
  clear.writeUInt32BE(header.sequence, 8)
  clear.writeUInt32BE(header.position, 12)
  clear.writeUInt16BE(payloadBytes, 16)
  clear.writeUInt32BE(crc32(clear.subarray(0, AUTHENTICATED_BYTES)), AUTHENTICATED_BYTES)
  return Buffer.concat([clear, seal(key, plain, associated(recordingId, clear))])
}

export function decodeRecordHeader(bytes: Buffer, offset: number): RecordHeader | null {
  if (bytes.length - offset < RECORD_HEADER_BYTES || bytes.compare(RECORD_MAGIC, 0, 4, offset, offset + 4) !== 0) return null
  const clear = bytes.subarray(offset, offset + RECORD_HEADER_BYTES)
  if (crc32(clear.subarray(0, AUTHENTICATED_BYTES)) !== clear.readUInt32BE(AUTHENTICATED_BYTES)) return null
  const kind = kinds.get(clear.readUInt8(4))
  if (kind === undefined) return null
  return {
    kind,
    units: clear.readUInt16BE(6),
    sequence: clear.readUInt32BE(8),
    position: clear.readUInt32BE(12),
    payload_bytes: clear.readUInt16BE(16),
  }
}

export function openRecord(key: Uint8Array, recordingId: Buffer, record: Buffer): Buffer | null {
  return open(key, record.subarray(RECORD_HEADER_BYTES), associated(recordingId, record))
}

function associated(recordingId: Buffer, clear: Buffer): Buffer {
  return Buffer.concat([recordingId, clear.subarray(0, AUTHENTICATED_BYTES)])
}

export function encodeAudio(audio: AudioPayload): Buffer {
  const lacing = lacingOf(audio.packets)
  const head = Buffer.alloc(11)
  head.writeUInt16BE(Math.round(audio.peak * LEVEL_SCALE), 0)
  head.writeUInt16BE(Math.round(audio.rms * LEVEL_SCALE), 2)
  head.writeUIntBE(audio.at, 4, 6)
  head.writeUInt8(lacing.length, 10)
  return Buffer.concat([head, lacing, ...audio.packets])
}

export function decodeAudio(plain: Buffer): AudioPayload {
  const segments = plain.readUInt8(10)
  const packets: Buffer[] = []
  let start = 11 + segments
  let length = 0
  for (let index = 11; index < 11 + segments; index += 1) {
    const value = plain.readUInt8(index)
    length += value
    if (value === 255) continue
    packets.push(plain.subarray(start, start + length))
    start += length
    length = 0
  }
  return {
    peak: plain.readUInt16BE(0) / LEVEL_SCALE,
    rms: plain.readUInt16BE(2) / LEVEL_SCALE,
    at: plain.readUIntBE(4, 6),
    packets,
  }
}

/** Ogg lacing values: 255 continues a packet, and a smaller value ends it (RFC 3533). */
export function lacingOf(packets: readonly Uint8Array[]): Buffer {
  const values: number[] = []
  for (const packet of packets) {
    for (let left = packet.length; left >= 255; left -= 255) values.push(255)
    values.push(packet.length % 255)
  }
  return Buffer.from(values)
}

export function encodeGap(gap: GapPayload): Buffer {
  const plain = Buffer.alloc(11)
  plain.writeUInt8(gapReasons.indexOf(gap.reason), 0)
  plain.writeUIntBE(gap.at, 1, 6)
  plain.writeUInt32BE(gap.duration_ms, 7)
  return plain
}

export const decodeGap = (plain: Buffer): GapPayload => ({
  reason: gapReasons[plain.readUInt8(0)] ?? 'interruption',
  at: plain.readUIntBE(1, 6),
  duration_ms: plain.readUInt32BE(7),
})

export function encodeFinal(at: number): Buffer {
  const plain = Buffer.alloc(6)
  plain.writeUIntBE(at, 0, 6)
  return plain
}

export const decodeFinal = (plain: Buffer): number => plain.readUIntBE(0, 6)
