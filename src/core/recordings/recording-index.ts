import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Gap } from '#contract/model/recording.ts'
import { decodeAudio, decodeGap, lacingOf, msToUnits, type RecordHeader, unitsToMs } from './format.ts'
import { MAX_PAGE_SEGMENTS, PAGE_HEADER_BYTES, PAGE_UNITS } from './ogg.ts'
import { packetUnits, SILENT_PACKET, SILENT_PACKET_UNITS } from './opus-packets.ts'
import type { FoundRecord } from './record-scan.ts'
import { damageIn } from './recording-repository.ts'

export type RecordingIndex = Awaited<ReturnType<typeof indexRecording>>

/** `silent`: number of 20 ms packets of silence before the record, in place of lost sound. */
export type IndexedRecord = Readonly<Record<'offset' | 'bytes' | 'sequence' | 'position' | 'units' | 'peak' | 'silent', number>>

export type IndexedPage = Readonly<Record<'start' | 'bytes' | 'record' | 'packet' | 'packets' | 'units', number>>

const RECORDS_BETWEEN_YIELDS = 200

export interface IndexOptions {
  readonly least_units?: number
  readonly rest?: () => Promise<unknown>
}

interface ReadRecord {
  readonly header: RecordHeader
  readonly offset: number
  readonly bytes: number
  readonly peak: number
  readonly packets: readonly PacketSize[]
  readonly gap: Gap | null
}

export async function indexRecording(
  found: Iterable<FoundRecord>,
  firstPage: number,
  { least_units: least = 0, rest = yieldToOthers }: IndexOptions,
) {
  const records: IndexedRecord[] = []
  const gaps: Gap[] = []
  const pages = pageBuilder(firstPage)
  let units = 0
  let damaged = 0
  const fillUpTo = (position: number): number => {
    const lost = Math.max(0, position - units)
    if (lost > 0) gaps.push({ at_ms: unitsToMs(units), duration_ms: unitsToMs(lost), reason: 'damage' })
    damaged += lost
    units += lost
    return Math.floor(lost / SILENT_PACKET_UNITS)
  }
  const add = (record: IndexedRecord, packets: readonly PacketSize[]): void => {
    for (let left = record.silent; left > 0; left -= 1) pages.add(silentSize)
    for (const packet of packets) pages.add(packet)
    records.push(record)
    pages.endRecord()
    units = record.position + record.units
  }
  for (const { header, offset, bytes, peak, packets, gap } of await inSequence(found, rest)) {
    const { kind, sequence, position } = header
    if (position < units) continue
    const silent = fillUpTo(position)
    if (gap !== null) gaps.push(gap)
    if (kind === 'audio' || silent > 0) add({ offset, bytes, sequence, position, units: header.units, peak, silent }, packets)
  }
  const silent = fillUpTo(least)
  if (silent > 0) add({ offset: 0, bytes: 0, sequence: 0, position: least, units: 0, peak: 0, silent }, [])
  return { records, pages: pages.done(), units, gaps, damaged_ms: unitsToMs(damaged) }
}

async function inSequence(found: Iterable<FoundRecord>, rest: () => Promise<unknown>): Promise<ReadRecord[]> {
  const read = new Map<string, ReadRecord>()
  let count = 0
  for (const { header, offset, end, plain } of found) {
    count += 1
    if (count % RECORDS_BETWEEN_YIELDS === 0) await rest()
    if (plain === null) continue
    const { kind, sequence, position } = header
    const name = kind === 'audio' ? `audio ${sequence}` : `${kind} ${position} ${plain.toString('hex')}`
    if (!read.has(name)) read.set(name, { header, offset, bytes: end - offset, ...contentOf(header, plain) })
    plain.fill(0)
  }
  const isAudio = ({ header }: ReadRecord): number => (header.kind === 'audio' ? 1 : 0)
  return [...read.values()].toSorted((a, b) => a.header.position - b.header.position || isAudio(a) - isAudio(b))
}

function contentOf({ kind, position }: RecordHeader, plain: Buffer): Pick<ReadRecord, 'peak' | 'packets' | 'gap'> {
  if (kind === 'audio') {
    const { peak, packets } = decodeAudio(plain)
    return { peak, packets: packets.map(sizeOf), gap: null }
  }
  if (kind === 'final') return { peak: 0, packets: [], gap: null }
  const { reason, duration_ms } = decodeGap(plain)
  return { peak: 0, packets: [], gap: duration_ms === 0 ? null : { at_ms: unitsToMs(position), duration_ms, reason } }
}

type PacketSize = Readonly<Record<'bytes' | 'segments' | 'units', number>>

function sizeOf(packet: Uint8Array): PacketSize {
  return { bytes: packet.length, segments: lacingOf([packet]).length, units: packetUnits(packet) ?? 0 }
}

const silentSize = sizeOf(SILENT_PACKET)

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
    add({ bytes, segments, units }: PacketSize): void {
      if (current.packets === 0 || current.units >= PAGE_UNITS || current.segments + segments > MAX_PAGE_SEGMENTS) close()
      current.packets += 1
      current.units += units
      current.segments += segments
      current.body += bytes
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

export const SLOT_UNITS = 80

export function peaksOf(index: RecordingIndex): Buffer {
  const slots = Buffer.alloc(Math.ceil(index.units / SLOT_UNITS))
  for (const { position, units, peak } of index.records) {
    const value = Math.round(peak * 255)
    const last = Math.min(slots.length - 1, Math.floor((position + Math.max(units, 1) - 1) / SLOT_UNITS))
    for (let slot = Math.floor(position / SLOT_UNITS); slot <= last; slot += 1) slots[slot] = Math.max(slots[slot] ?? 0, value)
  }
  return slots
}

export function withoutDamage(slots: Uint8Array, gaps: readonly Gap[]): Uint8Array {
  const readable = Uint8Array.from(slots)
  for (const { at_ms, duration_ms } of damageIn(gaps)) {
    readable.fill(0, Math.ceil(msToUnits(at_ms) / SLOT_UNITS), Math.floor(msToUnits(at_ms + duration_ms) / SLOT_UNITS))
  }
  return readable
}

export const waveform = (slots: Uint8Array, buckets: number): number[] =>
  Array.from({ length: buckets }, (_, bucket) => {
    const from = Math.floor((bucket * slots.length) / buckets)
    const to = Math.max(from + 1, Math.floor(((bucket + 1) * slots.length) / buckets))
    return slots.subarray(from, to).reduce((most, value) => Math.max(most, value), 0) / 255
  })
