import type { Clock } from '#base/clock.ts'

/** Nobody reads faster, and a long outbox changes at every answer. */
const atMostEvery = 100

/** Calls at once, then at most every 100 ms; the last change is always told. */
export function nowAndThen(clock: Clock, tell: () => void) {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | null = null
  let isOver = false
  const run = (): void => {
    timer = null
    last = clock.elapsed()
    tell()
  }
  return {
    call(): void {
      if (timer !== null || isOver) return
      const rest = last + atMostEvery - clock.elapsed()
      if (rest <= 0) run()
      else timer = setTimeout(run, rest)
    },
    /** For good: what is told of may be gone. */
    stop(): void {
      isOver = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
