import type { CapturedRecord } from './capture-messages.ts'

/** Below this (-60 dB) a room with people in it does not stay: the microphone gives nothing. */
const SILENT_PEAK = 0.001
const SILENT_AFTER_MS = 3000
const CLIPPED_PEAK = 0.99
/** A clipped moment is told of for so long, else nobody would see it. */
const CLIPPING_SHOWN_MS = 3000

/** Judges what was captured, record by record, on the audio's clock. */
export function createHearing() {
  let silentFrom: number | null = null
  let clippedAt: number | null = null
  return {
    hear(record: CapturedRecord, endMs: number): { silent_since_ms: number | null; clipping: boolean } {
      if (record.peak >= SILENT_PEAK) silentFrom = null
      else silentFrom ??= endMs - record.duration_ms
      if (record.peak >= CLIPPED_PEAK) clippedAt = endMs
      return {
        silent_since_ms: silentFrom !== null && endMs - silentFrom >= SILENT_AFTER_MS ? silentFrom : null,
        clipping: clippedAt !== null && endMs - clippedAt < CLIPPING_SHOWN_MS,
      }
    },
    reset(): void {
      silentFrom = null
      clippedAt = null
    },
  }
}
