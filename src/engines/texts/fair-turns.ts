/** Runs at most `width` jobs at once, and at most one per name. Names take turns; jobs of one name run in order. */
export interface FairTurns {
  /** Resolves when the caller may start, with a function that ends its turn. Rejects with the signal's reason. */
  take(name: string, signal: AbortSignal): Promise<() => void>
}

export function createFairTurns(width: number): FairTurns {
  const waiting = new Map<string, (() => void)[]>()
  const running = new Set<string>()

  function startNext(): void {
    for (const [name, queue] of waiting) {
      if (running.size >= width) return
      if (running.has(name)) continue
      const start = queue.shift()
      waiting.delete(name)
      if (queue.length > 0) waiting.set(name, queue)
      if (start === undefined) continue
      running.add(name)
      start()
    }
  }

  return {
    async take(name, signal) {
      signal.throwIfAborted()
      const turn = Promise.withResolvers<void>()
      const queue = waiting.get(name) ?? []
      queue.push(turn.resolve)
      waiting.set(name, queue)
      const onAbort = (): void => {
        const at = queue.indexOf(turn.resolve)
        if (at === -1) return
        queue.splice(at, 1)
        if (queue.length === 0 && waiting.get(name) === queue) waiting.delete(name)
        turn.reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      startNext()
      try {
        await turn.promise
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        running.delete(name)
        startNext()
      }
    },
  }
}
