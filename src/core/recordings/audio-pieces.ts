import { encodePage, headPages, MAX_PAGE_SEGMENTS, PAGE_UNITS, serialOf } from './ogg.ts'
import { type OggFile, type OpenRecordingFile, packetReader } from './ogg-mux.ts'
import { UNIT_SAMPLES, lacingOf, unitsToMs } from './format.ts'
import { packetUnits } from './opus-packets.ts'
import { peaksOf, type RecordingIndex, SLOT_UNITS } from './recording-index.ts'

export type AudioPiece = Readonly<Record<'number' | 'start_units' | 'end_units' | 'start_ms' | 'end_ms', number>>

const SLACK_BYTES = 4 * 1024
const SEARCH_SHARE = 0.3
const BREATH_SLOTS = 3

/** The same index and limit give the same pieces, so that a retry can skip finished pieces. */
export function planPieces(index: RecordingIndex, limitBytes: number): AudioPiece[] {
  const total = index.pages.reduce((sum, { units }) => sum + units, 0)
  const peaks = peaksOf(index)
  const pieces: AudioPiece[] = []
  for (let start = 0; start < total;) {
    const most = furthest(index, start, limitBytes - SLACK_BYTES)
    const end = most >= total ? total : quietestCut(peaks, start, most)
    const times = { start_ms: unitsToMs(start), end_ms: unitsToMs(end) }
    pieces.push({ number: pieces.length, start_units: start, end_units: end, ...times })
    start = end
  }
  return pieces
}

function furthest({ pages }: RecordingIndex, start: number, limit: number): number {
  let position = 0
  let bytes = 0
  let reached = start
  for (const page of pages) {
    const end = position + page.units
    position = end
    if (end <= start) continue
    bytes += page.bytes
    if (bytes > limit && reached > start) return reached
    reached = end
  }
  return reached
}

function quietestCut(peaks: Uint8Array, start: number, most: number): number {
  const from = Math.ceil((start + (most - start) * (1 - SEARCH_SHARE)) / SLOT_UNITS)
  const last = Math.floor(most / SLOT_UNITS) - BREATH_SLOTS
  let best = { loud: Number.POSITIVE_INFINITY, slot: -1 }
  for (let slot = from; slot <= last; slot += 1) {
    const loud = peaks.subarray(slot, slot + BREATH_SLOTS).reduce((sum, peak) => sum + peak, 0)
    if (loud <= best.loud) best = { loud, slot }
  }
  const cut = best.slot === -1 ? most : (best.slot + BREATH_SLOTS / 2) * SLOT_UNITS
  return cut > start ? cut : most
}

export function pieceBytes(source: OpenRecordingFile, { index }: OggFile, piece: AudioPiece): Buffer {
  const serial = serialOf(source.recordingId)
  const pages = [...repaged(packetsIn(source, index, piece))]
  const parts = [headPages(source.recordingId, source.format, pages.length === 0)]
  let granule = 0
  for (const [at, { packets, units }] of pages.entries()) {
    granule += units * UNIT_SAMPLES
    parts.push(encodePage({ serial, number: at + 2, granule, isLast: at === pages.length - 1, packets }))
  }
  const whole = Buffer.concat(parts)
  for (const part of parts) part.fill(0)
  return whole
}

function* packetsIn(source: OpenRecordingFile, { records, pages }: RecordingIndex, piece: AudioPiece): Generator<Uint8Array> {
  const read = packetReader(source, records)
  let position = 0
  for (const page of pages) {
    const start = position
    position += page.units
    if (position <= piece.start_units) continue
    if (start >= piece.end_units) return
    let at = start
    for (const packet of read(page.record, page.packet, page.packets)) {
      if (at >= piece.start_units && at < piece.end_units) yield packet
      at += packetUnits(packet) ?? 0
    }
  }
}

function* repaged(all: Iterable<Uint8Array>): Generator<{ packets: Uint8Array[]; units: number }> {
  let page = { packets: [] as Uint8Array[], units: 0 }
  let segments = 0
  for (const packet of all) {
    const lacing = lacingOf([packet]).length
    if (page.units >= PAGE_UNITS || segments + lacing > MAX_PAGE_SEGMENTS) {
      yield page
      page = { packets: [], units: 0 }
      segments = 0
    }
    page.packets.push(packet)
    page.units += packetUnits(packet) ?? 0
    segments += lacing
  }
  if (page.packets.length > 0) yield page
}
