/** Fetches the next one while the one before is worked on. */
export async function* ahead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const source = items[Symbol.asyncIterator]()
  const fetch = (): Promise<IteratorResult<Item>> => {
    const result = source.next()
    // Looked at when its turn comes, which may be never.
    result.catch(() => {})
    return result
  }
  try {
    for (let next = fetch(); ;) {
      const { done, value } = await next
      if (done) return
      next = fetch()
      yield value
    }
  } finally {
    await source.return?.()
  }
}
