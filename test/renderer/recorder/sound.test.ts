import { expect, test } from 'vitest'
import { splitPackets } from '#core/recordings/opus-packets.ts'
import { createLevelMeter, downMix, createRecordBuilder, join } from '#renderer/recorder/record-builder.ts'
import { judgeRoom, createHearing } from '#renderer/recorder/room-check.ts'
import { packet } from '#test/core/recordings/recording-kit.ts'

test('two channels become their mean', () => {
  expect([...downMix([Float32Array.of(1, 0.5), Float32Array.of(0, -0.5)])]).toEqual([0.5, 0])
})

test('the level of a record is that of its own samples, however they arrive', () => {
  const meter = createLevelMeter(4)
  meter.add(Float32Array.of(0.1, -0.9))
  meter.add(Float32Array.of(0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 1))
  const first = meter.take(1)
  const second = meter.take(1)
  expect(first.peak).toBeCloseTo(0.9)
  expect(second).toEqual({ peak: expect.closeTo(0.2), rms: expect.closeTo(0.2) })
})

test('packets are gathered by tens, and the rest is given out at the end', () => {
  const given: number[] = []
  const builder = createRecordBuilder(
    () => ({ peak: 0, rms: 0 }),
    (record) => void given.push(record.duration_ms),
  )
  for (let index = 0; index < 23; index += 1) builder.add(packet(index))
  builder.flush()
  builder.flush()
  expect(given).toEqual([200, 200, 60])
})

test('the core reads the packets as the window joins them', () => {
  const packets = [packet(1), packet(2, 300), packet(3, 10)]
  expect(splitPackets(join(packets))).toEqual({ packets, units: 24 })
})

const heard = (peak: number) => ({ packets: new Uint8Array(0), duration_ms: 200, peak, rms: peak })

test('silence is told after three seconds, with where it began, and taken back at the first sound', () => {
  const hearing = createHearing()
  let at = 0
  const hear = (peak: number) => hearing.hear(heard(peak), (at += 200)).silent_since_ms
  expect(hear(0.2)).toBeNull()
  for (let count = 0; count < 14; count += 1) expect(hear(0)).toBeNull()
  expect(hear(0)).toBe(200)
  expect(hear(0.0001)).toBe(200)
  expect(hear(0.2)).toBeNull()
})

test('clipping is shown for three seconds', () => {
  const hearing = createHearing()
  expect(hearing.hear(heard(1), 200).clipping).toBe(true)
  expect(hearing.hear(heard(0.3), 3000).clipping).toBe(true)
  expect(hearing.hear(heard(0.3), 3200).clipping).toBe(false)
})

test.each([
  ['nothing', [0, 0, 0.001]],
  ['quiet', [0.01, 0.02, 0.01]],
  ['heard', [0.3, 0.4, 0.01]],
  ['clipping', [1, 0.99, 0.5]],
] as const)('a room is judged: %s', (verdict, peaks) => {
  expect(judgeRoom(peaks.map((peak) => ({ peak, rms: peak / 3 }))).verdict).toBe(verdict)
})
