export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export function serial() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
}

export async function within<Result>(work: Promise<Result>, ms: number, late: () => Result): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
