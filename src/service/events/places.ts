import { AppError } from '#contract/errors.ts'
import type { Caller } from '#service/kernel/caller.ts'

/** Each open stream holds a connection. */
const mostStreams = 6

/** Takes one of a person's places in this process; what is handed back gives it up. */
export type TakePlace = (caller: Caller) => () => void

/** How many streams one person follows at once in this process. */
export function streamPlaces(most = mostStreams): TakePlace {
  const taken = new Map<string, number>()
  /** @throws AppError `too-many-streams` */
  return ({ practice_id, person_id }) => {
    const name = `${practice_id} ${person_id}`
    const count = taken.get(name) ?? 0
    if (count >= most) throw new AppError('too-many-streams')
    taken.set(name, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(name) ?? 1) - 1
      if (left === 0) taken.delete(name)
      else taken.set(name, left)
    }
  }
}
