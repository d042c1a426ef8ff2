import { AppError } from '#contract/errors.ts'

/** A 20 ms packet that decodes to digital silence: CELT fullband mono with the silence flag (RFC 6716, 4.3). */
export const SILENT_PACKET = Buffer.from([0xf8, 0xff, 0xfe])
export const SILENT_PACKET_UNITS = 8
const MAX_SEGMENTS = 255

/** In the input, each packet follows its length (unsigned 16-bit big-endian). `units` is the duration in units of 2.5 ms. */
export function splitPackets(bytes: Uint8Array): { packets: Buffer[]; units: number } {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packets: Buffer[] = []
  let units = 0
  let segments = 0
  let offset = 0
  while (offset + 2 <= source.length) {
    const length = source.readUInt16BE(offset)
    const packet = source.subarray(offset + 2, offset + 2 + length)
    const duration = packetUnits(packet)
    if (packet.length !== length || duration === null) throw malformed()
    packets.push(packet)
    units += duration
    segments += Math.floor(length / 255) + 1
    offset += 2 + length
  }
  if (offset !== source.length || packets.length === 0 || segments > MAX_SEGMENTS) throw malformed()
  return { packets, units }
}

export function joinPackets(packets: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  return Buffer.concat(packets.flatMap((packet) => [Buffer.from([packet.length >> 8, packet.length & 0xff]), packet]))
}

/** Duration in units of 2.5 ms (RFC 6716, 3.1 and 3.2). Null if it cannot be read or is too long. */
export function packetUnits(packet: Uint8Array): number | null {
  const first = packet[0]
  if (first === undefined) return null
  const config = first >> 3
  const frames = frameCount(packet, first & 3)
  if (frames === null) return null
  const units = frames * frameUnits(config)
  return units > 48 ? null : units // A packet is at most 120 ms.
}

function frameUnits(config: number): number {
  if (config >= 16) return 1 << (config & 3)
  if (config >= 12) return config & 1 ? 8 : 4
  return [4, 8, 16, 24][config & 3]!
}

function frameCount(packet: Uint8Array, code: number): number | null {
  if (code === 0) return 1
  if (code < 3) return 2
  const count = (packet[1] ?? 0) & 0x3f
  return count === 0 ? null : count
}

const malformed = (): AppError =>
  new AppError('validation-failed', undefined, [{ pointer: '/packets', code: 'opus', message: 'These are not Opus packets.' }])
