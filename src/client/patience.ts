import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'

/** Rings once after so many milliseconds, unless what it returns is called before. */
export type Timer = (ms: number, ring: () => void) => () => void

export const realTimer: Timer = (ms, ring) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

/** How long one call is waited for, in milliseconds. */
export interface Patience {
  /** Until its answer begins: connecting, and sending what it carries, included. */
  readonly headMs: number
  /** Between two pieces of the answer. */
  readonly idleMs: number
  /** For all of the answer; null where it goes on for as long as somebody listens. */
  readonly wholeMs: number | null
}

/** A line that carries less than so many bytes a second is taken for a broken one. */
const SLOWEST_LINE = 2048
const usual = { headMs: 30_000, idleMs: 20_000, wholeMs: 300_000 } as const
/** What takes longer than a minute is answered as an operation, which is asked about. */
const LONG_WORK_MS = 90_000
/** The service sends something every 20 s, be it nothing but a heartbeat. */
const EVENTS_IDLE_MS = 45_000

export function patienceFor(
  route: Pick<Route, 'longRunning'>,
  call: { readonly bytes: number; readonly isAsync: boolean; readonly isEvents: boolean },
): Patience {
  const headMs = (route.longRunning && !call.isAsync ? LONG_WORK_MS : usual.headMs) + timeFor(call.bytes)
  return call.isEvents ? { headMs, idleMs: EVENTS_IDLE_MS, wholeMs: null } : { ...usual, headMs }
}

/** A part of audio is answered once it is on disk; the last one once all of it was read again. */
export const patienceForPart = (bytes: number): Patience => ({ ...usual, headMs: 2 * usual.headMs + timeFor(bytes) })

const timeFor = (bytes: number): number => Math.ceil((bytes / SLOWEST_LINE) * 1000)

interface Waiting {
  readonly patience: Patience
  readonly timer: Timer
  /** Of whoever called. */
  readonly signal: AbortSignal | undefined
}

/**
 * Asks, and waits no longer than it may: for the beginning of the answer, for each piece of it, for all of it. Whatever is
 * asked does not have to heed the signal it is given.
 *
 * @throws AppError `service-unreachable` in time; what `signal` was aborted with
 */
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

/** Time passes only while somebody waits for the next piece. */
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

/** Settles with the signal at the latest; what comes after that is let go of. */
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
