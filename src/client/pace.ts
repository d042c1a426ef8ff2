/** How large the parts are that audio is sent in. */
export interface Pace {
  /** Bytes of the next part. */
  next(): number
  arrived(bytes: number, ms: number): void
  broke(): void
}

/** After a cut at most so much is sent again. */
export const mostPart = 1024 * 1024
const leastPart = 32 * 1024
const firstPart = 256 * 1024
/** Long enough that what surrounds a part does not count, short enough that little is lost with one. */
const aimMs = 2000

/** Parts grow on a good line and shrink where they do not get through, so that even a bad one brings some over. */
export function createPace(): Pace {
  let part = firstPart
  return {
    next: () => part,
    arrived(bytes, ms) {
      const fitting = (bytes / Math.max(1, ms)) * aimMs
      part = Math.round(Math.min(mostPart, 2 * part, Math.max(leastPart, fitting)))
    },
    broke: () => (part = Math.max(leastPart, Math.floor(part / 2))),
  }
}
