import { expect, test } from 'vitest'
import { type TimedFrame, withGaps } from '#renderer/recorder/gap-detector.ts'

interface Arrival extends TimedFrame {
  /** Wall time from which it can be read. */
  readonly at: number
  readonly name: number
}

/** Frames of 10 ms; `move` gives the wall time and the timestamp (ms) of each. */
function arrivals(count: number, move: (index: number) => { at: number; stamp: number }): Arrival[] {
  return Array.from({ length: count }, (_, name) => {
    const { at, stamp } = move(name)
    return { name, at, timestamp: stamp * 1000, duration: 10_000 }
  })
}

/** @param busy wall time up to which the reader is held up, once it has read up to `from` */
async function heard(frames: readonly Arrival[], busy = { from: -1, until: 0 }): Promise<(number | 'gap')[]> {
  let wall = 0
  let next = 0
  const read = async (): Promise<Arrival | null> => {
    if (next - 1 === busy.from) wall = Math.max(wall, busy.until)
    const frame = frames[next]
    next += 1
    if (frame === undefined) return null
    wall = Math.max(wall + 0.05, frame.at)
    return frame
  }
  const names: (number | 'gap')[] = []
  for await (const frame of withGaps(read, () => wall)) names.push(frame === 'gap' ? 'gap' : frame.name)
  return names
}

const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const steady = (index: number) => ({ at: index * 10, stamp: index * 10 })

test('a reader held up for nine seconds hears every frame and no gap', async () => {
  expect(await heard(arrivals(2000, steady), { from: 300, until: 12_000 })).toEqual(all(2000))
})

test('a jump of the timestamps when a device starts is no gap', async () => {
  const jumping = arrivals(500, (index) => ({ at: index * 10, stamp: index < 20 ? index * 10 : index * 10 - 370 }))
  expect(await heard(jumping)).toEqual(all(500))
  const forward = arrivals(500, (index) => ({ at: index * 10, stamp: index < 20 ? index * 10 : index * 10 + 370 }))
  expect(await heard(forward)).toEqual(all(500))
})

test('frames dropped while nobody read leave a gap in their place, and all that was kept is heard', async () => {
  const kept = arrivals(2000, steady).filter(({ name }) => name <= 300 || name >= 800)
  const names = await heard(kept, { from: 300, until: 18_000 })
  expect(names.filter((name) => name !== 'gap')).toEqual(kept.map(({ name }) => name))
  expect(names.flatMap((name, index) => (name === 'gap' ? [names[index + 1]] : []))).toEqual([800])
})

test('sleep leaves a gap where it began, whether the frames’ clock slept as well or not, and loses no frame', async () => {
  for (const isAsleep of [true, false]) {
    const slept = arrivals(600, (index) => {
      const at = index < 200 ? index * 10 : index * 10 + 600_000
      return { at, stamp: isAsleep ? index * 10 : at }
    })
    const names = await heard(slept)
    expect(names.filter((name) => name !== 'gap')).toEqual(all(600))
    expect(names.indexOf('gap')).toBe(200)
    expect(names.filter((name) => name === 'gap')).toHaveLength(1)
  }
})

test('what was read up when the track ends is heard', async () => {
  expect(await heard(arrivals(500, steady), { from: 300, until: 5000 })).toEqual(all(500))
})
