/** Tells of changes once they are durable: transactions are synchronous, so a microtask runs after the commit. */
export function announcer() {
  const listeners: ((isNew: boolean) => void)[] = []
  let isTold = false
  let hasNew = false
  const changed = (isNew: boolean): void => {
    hasNew ||= isNew
    if (isTold) return
    isTold = true
    queueMicrotask(() => {
      const news = hasNew
      isTold = hasNew = false
      for (const listener of listeners) listener(news)
    })
  }
  const tell = (run: () => unknown, isNew = false): void => {
    run()
    changed(isNew)
  }
  return { changed, tell, onChange: (listener: (isNew: boolean) => void) => void listeners.push(listener) }
}
