/** Messages in the order they came, for one reader. */
export interface Inbox<Message> {
  put(message: Message): void
  /** Nothing more comes: whoever reads on, gets `error`. The first one counts. */
  fail(error: unknown): void
  /** The next one; where none comes in time, it fails with what `onStall` gives. */
  next(onStall: () => unknown): Promise<Message>
}

export function createInbox<Message>(stallMs: number): Inbox<Message> {
  const waiting: Message[] = []
  let reader: PromiseWithResolvers<Message> | null = null
  let failure: { readonly error: unknown } | null = null

  function fail(error: unknown): void {
    failure ??= { error }
    reader?.reject(failure.error)
    reader = null
  }

  return {
    fail,
    put(message) {
      if (reader === null) waiting.push(message)
      else reader.resolve(message)
      reader = null
    },
    async next(onStall) {
      // What was said before the end still counts.
      const first = waiting.shift()
      if (first !== undefined) return first
      if (failure !== null) throw failure.error
      reader = Promise.withResolvers<Message>()
      const { promise } = reader
      const stall = setTimeout(() => fail(onStall()), stallMs)
      return promise.finally(() => clearTimeout(stall))
    },
  }
}
