import type { Gap } from '#contract/model/recording.ts'

export function bars(peaks: readonly number[], count: number): number[] {
  if (peaks.length === 0) return []
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count))
    return Math.max(...peaks.slice(from, to))
  })
}

const HATCH_SHARE = 0.035
const MAX_HATCHES = 6

export function layGaps(gaps: readonly Gap[], durationMs: number) {
  const shown = gaps.filter((gap) => gap.at_ms <= durationMs).toSorted((a, b) => a.at_ms - b.at_ms)
  const share = shown.length === 0 ? 0 : Math.min(HATCH_SHARE, (HATCH_SHARE * MAX_HATCHES) / shown.length)
  const sound = 1 - share * shown.length
  const along = (ms: number): number => (durationMs === 0 ? 0 : (Math.min(ms, durationMs) / durationMs) * sound)
  const before = (ms: number): number => shown.filter((gap) => gap.at_ms < ms).length
  const places = shown.map((gap, index) => {
    const from = along(gap.at_ms) + index * share
    return { from, to: from + share, gap }
  })
  const msAt = (position: number): number => {
    const passed = places.filter((place) => place.to <= position).length
    const inside = places.find((place) => place.from < position && position < place.to)
    if (inside !== undefined) return inside.gap.at_ms
    return sound === 0 ? 0 : Math.max(0, Math.min(durationMs, ((position - passed * share) / sound) * durationMs))
  }
  return { places, at: (ms: number) => along(ms) + before(ms) * share, msAt }
}

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
  const peaks = trace.peaks.flatMap((peak, index) => (index % 2 === 0 ? Math.max(peak, trace.peaks[index + 1] ?? 0) : []))
  return { step_ms: trace.step_ms * 2, peaks }
}

/** Maps a peak (0 to 1) to 0 to 24 steps on a logarithmic scale of 54 dB. */
export function levelSteps(peak: number): number {
  if (peak <= 0) return 0
  const decibel = 20 * Math.log10(Math.min(1, peak))
  return Math.max(0, Math.min(24, Math.round(((decibel + 54) / 54) * 24)))
}
