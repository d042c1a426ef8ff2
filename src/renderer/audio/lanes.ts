import type { Gap } from '#contract/model/recording.ts'

/** Resamples peaks to `count` bars. Each bar is the maximum of its range. */
export function bars(peaks: readonly number[], count: number): number[] {
  if (peaks.length === 0) return []
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count))
    return Math.max(...peaks.slice(from, to))
  })
}

export interface GapPlace {
  /** From 0 to 1 of the full width, gaps included. */
  readonly from: number
  readonly to: number
  readonly gap: Gap
}

const HATCH_SHARE = 0.035
const MAX_HATCHES = 6

/** A pause has no length on the audio clock, so every gap gets the same small share of the width instead. */
export function layGaps(
  gaps: readonly Gap[],
  durationMs: number,
): { readonly places: GapPlace[]; readonly at: (ms: number) => number; readonly msAt: (share: number) => number } {
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
  return { places, at: (ms) => along(ms) + before(ms) * share, msAt }
}
