import type { CorePorts } from '#core/app/open-core.ts'

type Wait = NonNullable<CorePorts['wait_for_days']>

/** Short waits are over at once, after `pass` heard how long they were; what waits for hours waits for something to change. */
export function hurried(pass: (ms: number) => void = () => {}): Wait {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', () => resolve())
      if (ms !== null && ms <= 60_000) {
        pass(ms)
        setImmediate(resolve)
      }
    })
}

/** A network that takes each call there and loses its answer, the first time: it was done, and nobody here knows. */
export function losingAnswers(to: () => string, onCut: (count: number) => void = () => {}) {
  const lost = new Set<string>()
  const cutting = async (request: Request): Promise<Response> => {
    const name = `${request.method} ${request.url} ${request.method === 'GET' ? '' : await request.clone().text()}`
    const answer = await fetch(request)
    if (!request.url.startsWith(to()) || lost.has(name)) return answer
    lost.add(name)
    await answer.arrayBuffer()
    onCut(lost.size)
    throw new TypeError('cut')
  }
  return { fetch: cutting as typeof fetch, lost }
}
