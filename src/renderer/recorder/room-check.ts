import type { Bridge } from '#contract/bridge/methods.ts'
import { must } from './answers.ts'
import type { Level, CapturedRecord } from './record-builder.ts'
import { openTake } from './take.ts'

const LISTEN_MS = 10_000

export interface RoomCheck {
  readonly peak: number
  readonly rms: number
  readonly verdict: 'heard' | 'nothing' | 'quiet' | 'clipping'
}

export async function checkRoom(bridge: Bridge, deviceId: string | null, onLevel: (level: Level) => void): Promise<RoomCheck> {
  must(await bridge.call('app.openMicrophone', { purpose: 'room-check' }))
  const levels: Level[] = []
  let lost = (): void => {}
  const isLost = new Promise<'lost'>((resolve) => (lost = () => resolve('lost')))
  const take = await openTake(deviceId, {
    onFormat: () => {},
    onRecord: ({ peak, rms }) => {
      levels.push({ peak, rms })
      onLevel({ peak, rms })
    },
    onGap: () => {},
    onLost: () => lost(),
  })
  await Promise.race([new Promise((resolve) => setTimeout(resolve, LISTEN_MS)), isLost])
  await take.stop()
  return judgeRoom(levels)
}

export function judgeRoom(levels: readonly Level[]): RoomCheck {
  const peak = Math.max(0, ...levels.map((level) => level.peak))
  const loud = levels
    .map((level) => level.rms)
    .toSorted((a, b) => b - a)
    .slice(0, Math.ceil(levels.length / 2))
  const rms = loud.length === 0 ? 0 : loud.reduce((sum, value) => sum + value, 0) / loud.length
  const clipped = levels.filter((level) => level.peak >= 0.99).length
  if (peak < 0.002) return { peak, rms, verdict: 'nothing' }
  if (clipped > levels.length / 20) return { peak, rms, verdict: 'clipping' }
  return { peak, rms, verdict: peak < 0.03 ? 'quiet' : 'heard' }
}

/** -60 dBFS. A room with people is louder, so a lower peak means that the microphone delivers no signal. */
const SILENT_PEAK = 0.001
const SILENT_AFTER_MS = 3000
const CLIPPED_PEAK = 0.99
const CLIPPING_SHOWN_MS = 3000

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
