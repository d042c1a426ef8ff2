/** What counts of an AudioData, in microseconds. */
export interface TimedFrame {
  readonly timestamp: number
  readonly duration: number
}

/** Less is the device's own unsteadiness: timestamps jump by some 100 ms when it starts, with no sound missing. */
const MISSING_MS = 1500
const PACE_MS = 200

/**
 * The frames in order, none left out, with `gap` where sound is missing: frames were dropped because nobody read them
 * for longer than they are kept, or the machine slept. A reader that was held up finds all it has missed waiting, so time
 * that passed says nothing by itself; and the frames' own clock may stand still in sleep, so it says nothing alone either.
 *
 * @param read null at the end
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

/** Reads on until frames come no faster than they are spoken. */
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
