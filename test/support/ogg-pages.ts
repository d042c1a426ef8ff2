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
