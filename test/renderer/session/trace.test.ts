import { describe, expect, test } from 'vitest'
import { bars, layGaps, addPeak, emptyTrace, levelSteps, traceFrom } from '#renderer/audio/peaks.ts'

const pause = (at_ms: number) => ({ at_ms, duration_ms: 87_000, reason: 'pause' as const })

describe('the waveform of the running session', () => {
  test('an hour and a half stays small and keeps its loudest moment', () => {
    let trace = emptyTrace
    for (let ms = 200; ms <= 90 * 60_000; ms += 200) trace = addPeak(trace, ms, ms === 1_000_000 ? 0.9 : 0.1)
    expect(trace.peaks.length).toBeLessThanOrEqual(800)
    expect(Math.max(...trace.peaks)).toBe(0.9)
    expect(trace.peaks.length * trace.step_ms).toBeGreaterThanOrEqual(90 * 60_000)
  })

  test('goes on from what the core had already', () => {
    const trace = addPeak(traceFrom([0.1, 0.2], 60_000), 60_200, 0.5)
    expect(trace.peaks).toEqual([0.1, 0.2, 0.5])
  })

  test('a short one asked for in too many pieces keeps its length', () => {
    const trace = traceFrom(
      Array.from({ length: 400 }, () => 0.2),
      8000,
    )
    expect(trace.peaks.length * trace.step_ms).toBeCloseTo(8000)
    expect(addPeak(trace, 8200, 0.5).peaks.at(-1)).toBe(0.5)
  })

  test('what was not told of record by record is not drawn as silence', () => {
    expect(addPeak(emptyTrace, 1000, 0.4).peaks).toEqual([0.4, 0.4, 0.4, 0.4, 0.4])
  })

  test('any number of peaks becomes the bars there is room for', () => {
    expect(bars([0.1, 0.9, 0.2, 0.3], 2)).toEqual([0.9, 0.3])
    expect(bars([0.5], 3)).toEqual([0.5, 0.5, 0.5])
    expect(bars([], 3)).toEqual([])
  })
})

describe('pauses in the waveform', () => {
  test('a pause has a width though it takes no audio time, and the sound closes around it', () => {
    const lane = layGaps([pause(30_000)], 60_000)
    const place = lane.places[0]
    expect(place?.to).toBeGreaterThan(place?.from ?? 1)
    expect(lane.at(0)).toBe(0)
    expect(lane.at(60_000)).toBeCloseTo(1)
    expect(lane.at(30_000)).toBeCloseTo(place?.from ?? -1)
    expect(lane.at(30_001)).toBeGreaterThanOrEqual(place?.to ?? 2)
  })

  test('a click leads to the moment under it, in sound and in a pause', () => {
    const lane = layGaps([pause(30_000)], 60_000)
    for (const ms of [0, 12_345, 45_678, 60_000]) expect(lane.msAt(lane.at(ms))).toBeCloseTo(ms, 3)
    const place = lane.places[0]
    expect(lane.msAt(((place?.from ?? 0) + (place?.to ?? 0)) / 2)).toBe(30_000)
  })

  test('many pauses never eat up the sound', () => {
    const lane = layGaps(
      Array.from({ length: 40 }, (_, index) => pause(index * 1000)),
      60_000,
    )
    expect(lane.places.reduce((sum, place) => sum + place.to - place.from, 0)).toBeLessThan(0.3)
  })
})

test('the level light is off in silence, full at the loudest, and never outside its 24 steps', () => {
  expect(levelSteps(0)).toBe(0)
  expect(levelSteps(1)).toBe(24)
  expect(levelSteps(0.0001)).toBe(0)
  expect(levelSteps(0.1)).toBeGreaterThan(8)
  expect(levelSteps(4)).toBe(24)
})
