import { setImmediate } from 'node:timers/promises'

/** A long search that pauses now and then, so that other calls are answered meanwhile. */
export type Steps<Result> = Generator<undefined, Result>

export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}
