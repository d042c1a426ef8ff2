import { encodePage, PAGE_HEADER_BYTES } from '#core/recordings/ogg.ts'
import type { Stretch } from './own-turns.ts'

const samplesPerMs = 48
const packetsPerPage = 50

interface Page {
  readonly bytes: Buffer
  readonly granule: number
  readonly packets: readonly Buffer[]
}

/** The sound of these stretches alone, one after the other, as Ogg Opus. `stretches` are in order and do not overlap. */
export async function cutSpeech(ogg: AsyncIterable<Uint8Array>, stretches: readonly Stretch[]): Promise<Buffer> {
  const heads: Buffer[] = []
  const kept: Buffer[] = []
  const end = Math.max(0, ...stretches.map(({ end_ms }) => end_ms))
  let position = 0
  let perPacket = 0
  for await (const page of pagesIn(ogg)) {
    if (heads.length < 2) {
      heads.push(page.bytes)
      continue
    }
    if (page.packets.length === 0) continue
    // The recorder's packets are all of one length; only the last page may end inside of one.
    perPacket ||= (page.granule - position) / page.packets.length
    for (const [at, packet] of page.packets.entries()) {
      const ms = (position + at * perPacket) / samplesPerMs
      if (stretches.some(({ start_ms, end_ms }) => ms >= start_ms && ms < end_ms)) kept.push(packet)
    }
    position = page.granule
    if (position / samplesPerMs >= end) break
  }
  return Buffer.concat([...heads, ...paged(kept, perPacket, heads[0]?.readUInt32LE(14) ?? 0)])
}

function paged(packets: readonly Buffer[], perPacket: number, serial: number): Buffer[] {
  const pages: Buffer[] = []
  for (let from = 0; from < packets.length; from += packetsPerPage) {
    const part = packets.slice(from, from + packetsPerPage)
    const granule = Math.round((from + part.length) * perPacket)
    const isLast = from + packetsPerPage >= packets.length
    pages.push(encodePage({ serial, number: pages.length + 2, granule, isLast, packets: part }))
  }
  return pages
}

/** Pages as the recordings' own muxer writes them: no packet goes on in the next. */
async function* pagesIn(ogg: AsyncIterable<Uint8Array>): AsyncGenerator<Page> {
  let rest = Buffer.alloc(0)
  for await (const bytes of ogg) {
    rest = Buffer.concat([rest, bytes])
    for (let page = firstPage(rest); page !== null; page = firstPage(rest)) {
      yield page
      rest = rest.subarray(page.bytes.length)
    }
  }
}

function firstPage(bytes: Buffer): Page | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null
  const body = PAGE_HEADER_BYTES + bytes[26]!
  if (bytes.length < body) return null
  const lacing = bytes.subarray(PAGE_HEADER_BYTES, body)
  const length = body + lacing.reduce((sum, value) => sum + value, 0)
  if (bytes.length < length) return null
  const packets: Buffer[] = []
  let [from, to] = [body, body]
  for (const value of lacing) {
    to += value
    if (value === 255) continue
    packets.push(bytes.subarray(from, to))
    from = to
  }
  return { bytes: bytes.subarray(0, length), granule: Number(bytes.readBigInt64LE(6)), packets }
}
