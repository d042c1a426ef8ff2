import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'

export type Timer = (ms: number, ring: () => void) => () => void

export const realTimer: Timer = (ms, ring) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

export interface Patience {
  readonly headMs: number
  readonly idleMs: number
  readonly wholeMs: number | null
}

/** Bytes per second of the slowest connection that the timeouts allow for. */
const SLOWEST_LINE = 2048
const usual = { headMs: 30_000, idleMs: 20_000, wholeMs: 300_000 } as const
const LONG_WORK_MS = 90_000
const EVENTS_IDLE_MS = 45_000

export function patienceFor(
  route: Pick<Route, 'longRunning'>,
  call: { readonly bytes: number; readonly isAsync: boolean; readonly isEvents: boolean },
): Patience {
  const headMs = (route.longRunning && !call.isAsync ? LONG_WORK_MS : usual.headMs) + timeFor(call.bytes)
  return call.isEvents ? { headMs, idleMs: EVENTS_IDLE_MS, wholeMs: null } : { ...usual, headMs }
}

export const patienceForPart = (bytes: number): Patience => ({ ...usual, headMs: 2 * usual.headMs + timeFor(bytes) })

const timeFor = (bytes: number): number => Math.ceil((bytes / SLOWEST_LINE) * 1000)

interface Waiting {
  readonly patience: Patience
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}

export async function answerWithin(
  ask: (signal: AbortSignal) => Promise<Response>,
  { patience, timer, signal }: Waiting,
): Promise<Response> {
  const late = new AbortController()
  const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
  const stop = timer(patience.headMs, () => late.abort(silent()))
  try {
    const response = await unlessAborted(ask(either), either, ({ body }) => void body?.cancel().catch(() => {}))
    return bodyWithin(response, { patience, timer, late, either })
  } finally {
    stop()
  }
}

interface Reading extends Pick<Waiting, 'patience' | 'timer'> {
  readonly late: AbortController
  readonly either: AbortSignal
}

function bodyWithin(response: Response, { patience, timer, late, either }: Reading): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const giveUp = (): void => late.abort(silent())
  const stopWhole = patience.wholeMs === null ? () => {} : timer(patience.wholeMs, giveUp)
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const stop = timer(patience.idleMs, giveUp)
        try {
          const { done, value } = await unlessAborted(reader.read(), either)
          if (!done) return controller.enqueue(value)
          stopWhole()
          controller.close()
        } catch (error) {
          stopWhole()
          void reader.cancel(error).catch(() => {})
          controller.error(error)
        } finally {
          stop()
        }
      },
      cancel: (reason) => {
        stopWhole()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

export function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  letGo: (value: Value) => void = () => {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(
      (value) => {
        signal.removeEventListener('abort', abort)
        if (signal.aborted) letGo(value)
        resolve(value)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', abort)
        reject(error)
      },
    )
  })
}

const silent = (): AppError =>
  new AppError('service-unreachable', 'The service does not answer any more.', [], { cause: new Error('out of time') })
