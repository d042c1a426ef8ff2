import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Gap } from '#contract/model/recording.ts'
import { decodeAudio, decodeGap, lacingOf, unitsToMs } from './format.ts'
import { MOST_PAGE_SEGMENTS, PAGE_HEADER_BYTES, PAGE_UNITS } from './ogg.ts'
import { SILENT_PACKET, SILENT_PACKET_UNITS, packetUnits } from './opus-packets.ts'
import { scanRecords } from './record-scan.ts'

/** Audio records on disk, in order, and where their packets come to lie in the Ogg file. */
export interface RecordingIndex {
  readonly records: readonly IndexedRecord[]
  readonly pages: readonly IndexedPage[]
  /** Length of the audio, damaged stretches included. */
  readonly units: number
  readonly gaps: readonly Gap[]
  /** Milliseconds of sound that stand as silence because their records are damaged. */
  readonly damaged_ms: number
}

/**
 * `silent` packets of 20 ms stand before the record for what was lost between it and the one before, so that every
 * time in transcript, marks and evidence stays true.
 */
export interface IndexedRecord {
  readonly offset: number
  readonly bytes: number
  readonly sequence: number
  readonly position: number
  readonly units: number
  readonly peak: number
  readonly silent: number
}

/** A page begins with packet `packet` of `record`; the silent packets before a record count as its first ones. */
export interface IndexedPage {
  readonly start: number
  readonly bytes: number
  readonly record: number
  readonly packet: number
  readonly packets: number
  readonly units: number
}

const RECORDS_BETWEEN_YIELDS = 200

/** Opens every record once: what does not authenticate is not in the index. */
export async function indexRecording(
  file: number,
  size: number,
  recordingId: string,
  key: Uint8Array,
  firstPage: number,
): Promise<RecordingIndex> {
  const records: IndexedRecord[] = []
  const gaps: Gap[] = []
  const pages = pageBuilder(firstPage)
  let units = 0
  let damaged = 0
  let count = 0
  for (const { header, offset, end, plain } of scanRecords(file, size, recordingId, key)) {
    count += 1
    if (count % RECORDS_BETWEEN_YIELDS === 0) await yieldToOthers()
    if (plain === null) continue
    const lost = Math.max(0, header.position - units)
    if (lost > 0) gaps.push({ at_ms: unitsToMs(units), duration_ms: unitsToMs(lost), reason: 'damage' })
    damaged += lost
    const silent = Math.floor(lost / SILENT_PACKET_UNITS)
    if (header.kind === 'gap') {
      const { reason, duration_ms } = decodeGap(plain)
      if (duration_ms > 0) gaps.push({ at_ms: unitsToMs(header.position), duration_ms, reason })
    }
    if (header.kind !== 'audio' && silent === 0) continue
    const audio = header.kind === 'audio' ? decodeAudio(plain) : null
    for (let left = silent; left > 0; left -= 1) pages.add(SILENT_PACKET)
    for (const packet of audio?.packets ?? []) pages.add(packet)
    records.push({
      offset,
      bytes: end - offset,
      sequence: header.sequence,
      position: header.position,
      units: header.units,
      peak: audio?.peak ?? 0,
      silent,
    })
    pages.endRecord()
    units = header.position + header.units
  }
  return { records, pages: pages.done(), units, gaps, damaged_ms: unitsToMs(damaged) }
}

function pageBuilder(firstPage: number) {
  const pages: IndexedPage[] = []
  let record = 0
  let packet = 0
  let start = firstPage
  let current = { record: 0, packet: 0, packets: 0, units: 0, segments: 0, body: 0 }

  function close(): void {
    if (current.packets > 0) {
      const bytes = PAGE_HEADER_BYTES + current.segments + current.body
      pages.push({ start, bytes, record: current.record, packet: current.packet, packets: current.packets, units: current.units })
      start += bytes
    }
    current = { record, packet, packets: 0, units: 0, segments: 0, body: 0 }
  }

  return {
    add(bytes: Uint8Array): void {
      const segments = lacingOf([bytes]).length
      if (current.packets === 0 || current.units >= PAGE_UNITS || current.segments + segments > MOST_PAGE_SEGMENTS) close()
      current.packets += 1
      current.units += packetUnits(bytes) ?? 0
      current.segments += segments
      current.body += bytes.length
      packet += 1
    },
    endRecord(): void {
      record += 1
      packet = 0
    },
    done(): IndexedPage[] {
      close()
      return pages
    },
  }
}
