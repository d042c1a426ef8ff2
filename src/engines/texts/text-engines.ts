import { AppError } from '#contract/errors.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import type { Question, TextModel } from '#engines/language/port.ts'
import type { FromEngine, TextResult, ToEngine, TextWork } from './text-work.ts'

export interface TextLimits {
  readonly computeMs: number
  readonly heapMb: number
  readonly width: number
  readonly idleMs: number
}

/** Work on a transcript of 600,000 characters, the maximum, takes up to about 4 s and 300 MB of heap on two busy cores. */
export const usualTextLimits: TextLimits = { computeMs: 60_000, heapMb: 512, width: 2, idleMs: 10_000 }

export interface TextPorts {
  readonly signal: AbortSignal
  readonly model: TextModel | null
  readonly onShare: (share: number) => void
}

export interface TextEngines {
  run(practice: string, work: TextWork, ports: TextPorts): Promise<TextResult>
  close(): void
}

interface Engine {
  readonly send: (message: ToEngine) => void
  readonly kill: () => void
  listener: ((message: FromEngine | { readonly kind: 'ended'; readonly isFull: boolean }) => void) | null
  timer: NodeJS.Timeout | undefined
}

const stopped =
  'Working on this text took more time or memory than one text may, and was stopped. Nothing was changed. Send it in smaller parts.'
const notStarted =
  'This machine is short of memory or processes: no engine for this text could be started. Nothing was changed. Try again later.'
const endedTwice =
  'The program that works on this text was ended twice before it was done. Nothing was changed. ' +
  'This machine may be short of memory: try again later, or send the text in smaller parts.'
const tooMuch = (): AppError => new AppError('engine-failed', stopped)

export function openTextEngines(host: EngineHost, limits: TextLimits = usualTextLimits): TextEngines {
  const turns = createFairTurns(limits.width)
  const engines = new Set<Engine>()
  const idle: Engine[] = []
  let isClosed = false

  const end = (engine: Engine): void => {
    engines.delete(engine)
    clearTimeout(engine.timer)
    if (idle.includes(engine)) idle.splice(idle.indexOf(engine), 1)
  }

  function take(endTurn: () => void): Engine {
    const engine = idle.pop() ?? startedOr(endTurn, () => startEngine(host, limits.heapMb, end))
    engines.add(engine)
    clearTimeout(engine.timer)
    return engine
  }

  function putBack(engine: Engine): void {
    engine.listener = null
    if (isClosed || !engines.has(engine) || idle.length >= limits.width) return engine.kill()
    idle.push(engine)
    engine.timer = setTimeout(engine.kill, limits.idleMs)
    engine.timer.unref()
  }

  async function runOnce(practice: string, work: TextWork, ports: TextPorts): Promise<TextResult> {
    const over = new AbortController()
    const signal = AbortSignal.any([ports.signal, over.signal])
    const waitForTurn = () => turns.take(practice, signal)
    const endTurn = await waitForTurn()
    const engine = take(endTurn)
    let outcome: Awaited<ReturnType<typeof converse>>
    try {
      outcome = await converse(engine, work, { ...ports, signal }, { endTurn, waitForTurn, computeMs: limits.computeMs })
    } catch (error) {
      engine.kill()
      throw error
    } finally {
      over.abort()
    }
    // No `await` between the end of `converse` and this line: the next work would find no idle engine and start another.
    putBack(engine)
    if ('failure' in outcome) throw outcome.failure
    return outcome.result
  }

  return {
    run: (practice, work, ports) =>
      runOnce(practice, work, ports).catch((error: unknown) => {
        if (!(error instanceof EngineEnded) || isClosed) throw error
        return runOnce(practice, work, ports)
      }),
    close() {
      isClosed = true
      for (const engine of engines) engine.kill()
    },
  }
}

function startedOr(endTurn: () => void, start: () => Engine): Engine {
  try {
    return start()
  } catch (error) {
    endTurn()
    throw new AppError('engine-failed', notStarted, [], { cause: error })
  }
}

function startEngine(host: EngineHost, heapMb: number, onEnd: (engine: Engine) => void): Engine {
  const child = host.start('text-engine', { heapMb })
  const kill = (): void => {
    onEnd(engine)
    child.kill()
  }
  const engine: Engine = { send: (message) => child.send(message), kill, listener: null, timer: undefined }
  child.onMessage((message) => engine.listener?.(message as FromEngine))
  child.onExit((code, signal) => {
    onEnd(engine)
    engine.listener?.({ kind: 'ended', isFull: code === FULL_HEAP || signal === 'SIGABRT' || signal === 'SIGTRAP' })
  })
  return engine
}

/** Exit code of a process with a full heap, on hosts that report no signal. */
const FULL_HEAP = 134

class EngineEnded extends AppError {
  constructor() {
    super('engine-failed', endedTwice)
  }
}

/** A `failure` ends only the job: the engine can be reused. */
type Outcome = { readonly result: TextResult } | { readonly failure: AppError }

interface Turn {
  readonly endTurn: () => void
  readonly waitForTurn: () => Promise<() => void>
  readonly computeMs: number
}

async function converse(
  engine: Engine,
  work: TextWork,
  { signal, model, onShare }: TextPorts,
  { endTurn: first, waitForTurn, computeMs }: Turn,
): Promise<Outcome> {
  const done = Promise.withResolvers<Outcome>()
  let endTurn = first
  let timer: NodeJS.Timeout | undefined
  const compute = (message: ToEngine): void => {
    timer = setTimeout(() => done.reject(tooMuch()), computeMs)
    engine.send(message)
  }
  const ask = async (question: Question): Promise<void> => {
    clearTimeout(timer)
    endTurn()
    if (model === null) throw new Error('a question without a model')
    const told = await model.tell(question, signal, (piece) => engine.send({ kind: 'piece', piece }))
    endTurn = await waitForTurn()
    if (signal.aborted) endTurn()
    else compute({ kind: 'told', told })
  }
  const onAbort = (): void => done.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  engine.listener = (message) => {
    if (message.kind === 'ended') done.reject(message.isFull ? tooMuch() : new EngineEnded())
    else if (message.kind === 'share') onShare(message.share)
    else if (message.kind === 'ask') ask(message.question).catch(done.reject)
    else if (message.kind === 'done') done.resolve({ result: message.result })
    else if (message.code === null) done.reject(new Error(`the text engine failed: ${message.error}`))
    else done.resolve({ failure: new AppError(message.code, message.detail) })
  }
  try {
    if (signal.aborted) onAbort()
    else compute({ kind: 'work', work, model: model && { engine: model.engine, context_tokens: model.context_tokens } })
    return await done.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    engine.listener = null
    endTurn()
  }
}

/** Runs at most `width` jobs at once, and at most one per name. Names take turns; jobs of one name run in order. */
export function createFairTurns(width: number) {
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
    async take(name: string, signal: AbortSignal): Promise<() => void> {
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
