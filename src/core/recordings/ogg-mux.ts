import { AppError } from '#contract/errors.ts'
import type { AudioFormat } from '#contract/model/recording.ts'
import { UNIT_SAMPLES, decodeAudio, decodeRecordHeader, idBytes, openRecord } from './format.ts'
import { encodePage, headPages, serialOf } from './ogg.ts'
import { SILENT_PACKET } from './opus-packets.ts'
import { type IndexedRecord, type IndexOptions, indexRecording, type RecordingIndex } from './recording-index.ts'
import { readAt, scanRecords } from './record-scan.ts'

export interface OggFile {
  readonly bytes: number
  readonly index: RecordingIndex
}

export interface OpenRecordingFile {
  readonly file: number
  readonly recordingId: string
  readonly key: Uint8Array
  readonly format: AudioFormat
}

export async function indexOgg(source: OpenRecordingFile, size: number, options: IndexOptions = {}): Promise<OggFile> {
  const firstPage = headPages(source.recordingId, source.format, false).length
  const found = scanRecords(source.file, size, source.recordingId, source.key)
  const index = await indexRecording(found, firstPage, options)
  const last = index.pages.at(-1)
  return { bytes: last === undefined ? firstPage : last.start + last.bytes, index }
}

export function* oggBytes(source: OpenRecordingFile, ogg: OggFile, start: number, end: number): Generator<Buffer> {
  const { pages } = ogg.index
  const head = headPages(source.recordingId, source.format, pages.length === 0)
  if (start < head.length) yield head.subarray(start, Math.min(end, head.length))
  const serial = serialOf(source.recordingId)
  let granule = 0
  const packets = packetReader(source, ogg.index.records)
  for (const [number, page] of pages.entries()) {
    granule += page.units * UNIT_SAMPLES
    if (page.start >= end) return
    if (page.start + page.bytes <= start) continue
    const isLast = number === pages.length - 1
    const held = packets(page.record, page.packet, page.packets)
    const bytes = encodePage({ serial, number: number + 2, granule, isLast, packets: held })
    if (bytes.length !== page.bytes) throw new AppError('recording-damaged')
    yield bytes.subarray(Math.max(0, start - page.start), Math.min(bytes.length, end - page.start))
  }
}

export function packetReader(source: OpenRecordingFile, records: readonly IndexedRecord[]) {
  let kept = { number: -1, packets: [] as readonly Uint8Array[] }
  function packetsOf(number: number): readonly Uint8Array[] {
    if (kept.number !== number) kept = { number, packets: readPackets(source, records[number]) }
    return kept.packets
  }
  return (record: number, packet: number, count: number): Uint8Array[] => {
    const found: Uint8Array[] = []
    for (let number = record, from = packet; found.length < count; number += 1, from = 0) {
      found.push(...packetsOf(number).slice(from, from + count - found.length))
    }
    return found
  }
}

function readPackets(source: OpenRecordingFile, record: IndexedRecord | undefined): readonly Uint8Array[] {
  if (record === undefined) throw new AppError('recording-damaged')
  const silence = Array.from({ length: record.silent }, () => SILENT_PACKET)
  if (record.bytes === 0) return silence
  const bytes = readAt(source.file, record.offset, record.bytes)
  const header = decodeRecordHeader(bytes, 0)
  const plain = header === null ? null : openRecord(source.key, idBytes(source.recordingId), bytes)
  if (header === null || plain === null) throw new AppError('recording-damaged')
  return header.kind === 'audio' ? [...silence, ...decodeAudio(plain).packets] : silence
}
