export interface TimedFrame {
  readonly timestamp: number
  readonly duration: number
}

/** Smaller jumps are device jitter: timestamps jump by about 100 ms at startup without lost sound. */
const MISSING_MS = 1500
const PACE_MS = 200

/**
 * Compares the wall clock with the frames' timestamps (microseconds). The clock alone is not enough, because frames stay in the
 * buffer during a stall. Timestamps alone are not enough, because they may stop during sleep.
 */
export async function* withGaps<Frame extends TimedFrame>(
  read: () => Promise<Frame | null>,
  now: () => number,
): AsyncGenerator<Frame | 'gap'> {
  let before: { wall: number; end: number } | null = null
  for (let frame = await read(); frame !== null; frame = await read()) {
    let last = frame
    const isHeldUp = before !== null && now() - before.wall > MISSING_MS
    if (before !== null && frame.timestamp - before.end > MISSING_MS * 1000) {
      yield 'gap'
      yield frame
    } else if (before !== null && isHeldUp) {
      const waiting = [frame, ...(await readUp(read, now))]
      if (now() - before.wall - lengthOf(waiting) > MISSING_MS) yield 'gap'
      yield* waiting
      last = waiting.at(-1) ?? frame
    } else yield frame
    before = { wall: now(), end: last.timestamp + last.duration }
  }
}

async function readUp<Frame extends TimedFrame>(read: () => Promise<Frame | null>, now: () => number): Promise<Frame[]> {
  const frames: Frame[] = []
  let from = now()
  let counted = 0
  for (let frame = await read(); frame !== null; frame = await read()) {
    frames.push(frame)
    const passed = now() - from
    if (passed < PACE_MS) continue
    if (lengthOf(frames.slice(counted)) <= passed * 2) break
    from = now()
    counted = frames.length
  }
  return frames
}

function lengthOf(frames: readonly TimedFrame[]): number {
  return frames.reduce((sum, frame) => sum + frame.duration, 0) / 1000
}
