import type { Gap } from '#contract/model/recording.ts'
import { msToUnits } from './format.ts'
import type { RecordingIndex } from './recording-index.ts'
import { damageIn } from './recording-repository.ts'

export const SLOT_UNITS = 80

/** Peak of every 200 ms, one byte each. */
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

export function waveform(slots: Uint8Array, buckets: number): number[] {
  return Array.from({ length: buckets }, (_, bucket) => {
    const from = Math.floor((bucket * slots.length) / buckets)
    const to = Math.max(from + 1, Math.floor(((bucket + 1) * slots.length) / buckets))
    return slots.subarray(from, to).reduce((most, value) => Math.max(most, value), 0) / 255
  })
}
