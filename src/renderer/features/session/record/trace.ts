import { bars } from '#renderer/audio/lanes.ts'

export interface Trace {
  readonly step_ms: number
  readonly peaks: readonly number[]
}

export const emptyTrace: Trace = { step_ms: 200, peaks: [] }
const MAX_PEAKS = 800

export function addPeak(trace: Trace, savedMs: number, peak: number): Trace {
  const at = Math.max(0, Math.ceil(savedMs / trace.step_ms) - 1)
  if (at >= MAX_PEAKS) return addPeak(coarser(trace), savedMs, peak)
  const peaks = trace.peaks.slice()
  // One event can cover many records that were sent again. Fill the skipped steps with its peak instead of silence.
  while (peaks.length < at) peaks.push(peak)
  peaks[at] = Math.max(peaks[at] ?? 0, peak)
  return { ...trace, peaks }
}

export function traceFrom(peaks: readonly number[], durationMs: number): Trace {
  if (peaks.length === 0 || durationMs === 0) return emptyTrace
  const finest = Math.ceil(durationMs / emptyTrace.step_ms)
  const kept = finest < peaks.length ? bars(peaks, finest) : peaks
  return { step_ms: durationMs / kept.length, peaks: kept }
}

function coarser(trace: Trace): Trace {
  const peaks: number[] = []
  for (let index = 0; index < trace.peaks.length; index += 2) {
    peaks.push(Math.max(trace.peaks[index] ?? 0, trace.peaks[index + 1] ?? 0))
  }
  return { step_ms: trace.step_ms * 2, peaks }
}

/** Maps a peak (0 to 1) to 0 to 24 steps on a logarithmic scale of 54 dB, the range of speech. */
export function levelSteps(peak: number): number {
  if (peak <= 0) return 0
  const decibel = 20 * Math.log10(Math.min(1, peak))
  return Math.max(0, Math.min(24, Math.round(((decibel + 54) / 54) * 24)))
}
