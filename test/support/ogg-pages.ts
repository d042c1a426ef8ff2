import { encodePage, headPages, serialOf } from '#core/recordings/ogg.ts'

/** Packets of an Ogg stream by its lacing values (RFC 3533, 6), with the granules and flags of its pages. */
export function demux(ogg: Buffer): { packets: Buffer[]; granules: number[]; flags: number[] } {
  const packets: Buffer[] = []
  const granules: number[] = []
  const flags: number[] = []
  for (let offset = 0; offset < ogg.length;) {
    if (ogg.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error(`no page at ${offset}`)
    if (ogg.readUInt32LE(offset + 18) !== flags.length) throw new Error('page out of order')
    flags.push(ogg.readUInt8(offset + 5))
    granules.push(Number(ogg.readBigUInt64LE(offset + 6)))
    const lacing = ogg.subarray(offset + 27, offset + 27 + ogg.readUInt8(offset + 26))
    let start = offset + 27 + lacing.length
    let length = 0
    for (const value of lacing) {
      length += value
      if (value === 255) continue
      packets.push(ogg.subarray(start, start + length))
      start += length
      length = 0
    }
    offset = start
  }
  return { packets, granules, flags }
}

/** Packets of 20 ms as one Ogg Opus file, a second a page. */
export function mux(packets: readonly Uint8Array[], recordingId: string): Buffer {
  const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
  const pages = [headPages(recordingId, format, packets.length === 0)]
  for (let at = 0; at < packets.length; at += 50) {
    const own = packets.slice(at, at + 50)
    const isLast = at + 50 >= packets.length
    const page = { serial: serialOf(recordingId), number: at / 50 + 2, granule: (at + own.length) * 960, isLast, packets: own }
    pages.push(encodePage(page))
  }
  return Buffer.concat(pages)
}
