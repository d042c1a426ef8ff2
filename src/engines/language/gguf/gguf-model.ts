import { basename } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { EngineHost, EngineProcess } from '#engines/engine-host.ts'
import type { Question, TextModel, Told } from '../writer/text-model.ts'
import type { Conversation, Outcome } from './conversation.ts'
import { converse } from './conversation.ts'
import type { Order } from './messages.ts'
import { checkModel } from './model-file.ts'
import type { LocalModel } from './model-file.ts'
import type { Later } from './stall-watch.ts'

export interface LocalEngine {
  readonly model: TextModel
  /** False once its process has ended. */
  isAlive(): boolean
  close(): void
}

/** Enough for a session in a few parts, and little enough for a laptop. */
const usualContext = 8192
/** A model that does not stop when it is told to is ended. */
const stopMs = 10_000
/** The slowest laptop has read a whole context by then, and a model came from the slowest disk. */
const usualStallMs = 15 * 60_000

interface Tuning {
  readonly availableBytes?: number
  /** Milliseconds without a sign of life after which a model that has something to do is ended. */
  readonly stallMs?: number
  readonly later?: Later
}

/** @throws AppError `engine-not-ready`, `engine-failed`; whatever `signal` was aborted with */
export async function startLocalModel(
  host: EngineHost,
  local: LocalModel,
  signal: AbortSignal,
  { availableBytes = process.availableMemory(), stallMs = usualStallMs, later }: Tuning = {},
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
      context_tokens: local.context_tokens ?? usualContext,
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
    late = setTimeout(() => child.kill(), stopMs)
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
