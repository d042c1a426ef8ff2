/** How large the parts are that audio is sent in. */
export interface Pace {
  /** Bytes of the next part. */
  next(): number
  arrived(bytes: number, ms: number): void
  broke(): void
  /** Refused for its size, by whatever stands in front of the service. */
  tooLarge(bytes: number): void
}

/** After a cut at most so much is sent again. */
export const mostPart = 1024 * 1024
export const leastPart = 32 * 1024
const firstPart = 256 * 1024
/** Long enough that what surrounds a part does not count, short enough that little is lost with one. */
const aimMs = 2000

/** Parts grow on a good line and shrink where they do not get through, so that even a bad one brings some over. */
export function createPace(): Pace {
  let part = firstPart
  let most = mostPart
  return {
    next: () => part,
    arrived(bytes, ms) {
      const fitting = (bytes / Math.max(1, ms)) * aimMs
      part = Math.round(Math.min(most, 2 * part, Math.max(leastPart, fitting)))
    },
    broke: () => (part = Math.max(leastPart, Math.floor(part / 2))),
    tooLarge(bytes) {
      most = Math.max(leastPart, Math.floor(bytes / 2))
      part = Math.min(part, most)
    },
  }
}
