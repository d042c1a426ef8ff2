import { basename } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { EngineHost, EngineProcess } from '#engines/engine-host.ts'
import type { Question, TextModel, Told } from '../port.ts'
import { type Order, type Reason, reportSchema, checkModel, type LocalModel } from './llama-library.ts'

export interface LocalEngine {
  readonly model: TextModel
  isAlive(): boolean
  close(): void
}

const USUAL_CONTEXT = 8192
const STOP_MS = 10_000
const USUAL_STALL_MS = 15 * 60_000

interface Tuning {
  readonly availableBytes?: number
  readonly stallMs?: number
  readonly later?: Later
}

export async function startLocalModel(
  host: EngineHost,
  local: LocalModel,
  signal: AbortSignal,
  { availableBytes = process.availableMemory(), stallMs = USUAL_STALL_MS, later }: Tuning = {},
): Promise<LocalEngine> {
  await checkModel(local, availableBytes)
  signal.throwIfAborted()
  const child = host.start('llama-engine')
  const talk = converse(child, stallMs, later)
  const onAbort = (): void => child.kill()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    child.send({
      kind: 'load',
      home: local.home,
      file: local.file,
      context_tokens: local.context_tokens ?? USUAL_CONTEXT,
    } satisfies Order)
    const context_tokens = await talk.loaded
    const engine = { name: 'llama', version: '1', model: basename(local.file, '.gguf') }
    let asked = 0
    const tell: TextModel['tell'] = (question, stopped, onText) => {
      asked += 1
      return ask(child, talk, asked, question, stopped, onText)
    }
    return { model: { engine, context_tokens, tell }, isAlive: talk.isAlive, close: () => child.kill() }
  } catch (error) {
    child.kill()
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function ask(
  child: EngineProcess,
  talk: Conversation,
  id: number,
  { instructions, prompt, form, most_tokens }: Question,
  signal: AbortSignal,
  onText: (piece: string) => void,
): Promise<Told> {
  signal.throwIfAborted()
  let text = ''
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  talk.expect(id, {
    onText: (piece) => {
      text += piece
      onText(piece)
    },
    settle: resolve,
  })
  let late: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    child.send({ kind: 'cancel', id } satisfies Order)
    late = setTimeout(() => child.kill(), STOP_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    child.send({ kind: 'ask', id, instructions, prompt, form: { ...form }, most_tokens } satisfies Order)
    const outcome = await promise
    signal.throwIfAborted()
    if (outcome === 'cancelled') throw new AppError('cancelled')
    if (outcome instanceof AppError) throw outcome
    return outcome.kind === 'text' ? { ...outcome, text } : outcome
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', onAbort)
    talk.forget(id)
  }
}

type Outcome = Told | AppError | 'cancelled'

interface Waiting {
  readonly onText: (piece: string) => void
  readonly settle: (outcome: Outcome) => void
}

type Conversation = ReturnType<typeof converse>

function converse(child: EngineProcess, stallMs: number, later: Later | undefined) {
  const waiting = new Map<number, Waiting>()
  const loading = Promise.withResolvers<number>()
  let ended: AppError | null = null
  const end = (whileLoading: AppError, failure: AppError): void => {
    ended ??= failure
    watch.rest()
    loading.reject(whileLoading)
    for (const each of waiting.values()) each.settle(ended)
    child.kill()
  }
  const watch = stallWatch(stallMs, () => end(stalled(stallMs), stalled(stallMs)), later)
  child.onExit(() => end(failureOf('not-loaded'), failureOf('failed')))
  child.onMessage((message) => {
    const read = reportSchema.safeParse(message)
    // An exception in this listener would also end the process that started the model.
    if (!read.success) return end(failureOf('failed'), failureOf('failed'))
    watch.sign()
    const report = read.data
    if (report.kind === 'loaded') {
      loading.resolve(report.context_tokens)
      watch.rest()
    } else if (report.kind === 'text') waiting.get(report.id)?.onText(report.piece)
    else if (report.kind === 'done') {
      const { id, is_cut, read_tokens } = report
      waiting.get(id)?.settle({ kind: 'text', text: '', is_cut, read_tokens })
    } else if (report.id === null) loading.reject(failureOf(report.reason))
    else waiting.get(report.id)?.settle(report.reason === 'too-long' ? { kind: 'too-long' } : outcomeOf(report.reason))
  })
  watch.begin()
  return {
    loaded: loading.promise,
    isAlive: () => ended === null,
    expect(id: number, each: Waiting): void {
      if (ended !== null) return each.settle(ended)
      waiting.set(id, each)
      watch.begin()
    },
    forget(id: number): void {
      waiting.delete(id)
      if (waiting.size === 0) watch.rest()
    },
  }
}

const outcomeOf = (reason: Reason): AppError | 'cancelled' => (reason === 'cancelled' ? 'cancelled' : failureOf(reason))

const stalled = (ms: number): AppError =>
  new AppError(
    'engine-failed',
    `The model on this laptop gave no sign of life for ${Math.round(ms / 60_000)} minutes and was ended. Your transcript is safe. A smaller model needs less of this laptop.`,
  )

function failureOf(reason: Reason): AppError {
  switch (reason) {
    case 'not-installed':
      return new AppError('engine-not-ready', 'What runs models on this laptop is not installed. Run "npm run llama" once.')
    case 'not-loaded':
      return new AppError(
        'engine-not-ready',
        'The model could not be loaded: its file is damaged or of a kind this version does not know, or there was too little memory.',
      )
    default:
      return new AppError('engine-failed', 'The model on this laptop broke off. Your transcript is safe.')
  }
}

export type Later = (ms: number, act: () => void) => () => void

const systemLater: Later = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

function stallWatch(ms: number, onStall: () => void, later: Later = systemLater) {
  let callOff: (() => void) | null = null
  const rest = (): void => {
    callOff?.()
    callOff = null
  }
  const begin = (): void => {
    callOff ??= later(ms, onStall)
  }
  return {
    begin,
    rest,
    sign() {
      if (callOff === null) return
      rest()
      begin()
    },
  }
}
