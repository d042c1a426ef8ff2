/** Runs work with the same name one at a time, and with different names concurrently. */
export function createTurns() {
  const last = new Map<string, Promise<void>>()

  return async function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(name) ?? Promise.resolve()
    const done = Promise.withResolvers<void>()
    const mine = before.then(() => done.promise)
    last.set(name, mine)
    try {
      await before
      return await work()
    } finally {
      done.resolve()
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
