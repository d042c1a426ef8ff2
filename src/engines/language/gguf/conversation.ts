import { AppError } from '#contract/errors.ts'
import type { EngineProcess } from '#engines/engine-host.ts'
import type { Told } from '../writer/text-model.ts'
import type { Reason } from './messages.ts'
import { reportSchema } from './messages.ts'
import type { Later } from './stall-watch.ts'
import { stallWatch } from './stall-watch.ts'

export type Outcome = Told | AppError | 'cancelled'

interface Waiting {
  readonly onText: (piece: string) => void
  readonly settle: (outcome: Outcome) => void
}

export interface Conversation {
  /** Tokens of context. */
  readonly loaded: Promise<number>
  isAlive(): boolean
  /** Settled at once where nobody is there to answer any more. */
  expect(id: number, waiting: Waiting): void
  forget(id: number): void
}

/** Who waits for what of one process. Its end, its silence and what nobody understands settle everything. */
export function converse(child: EngineProcess, stallMs: number, later: Later | undefined): Conversation {
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
    // Thrown in here, it would end this process with the model's.
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
    expect(id, each) {
      if (ended !== null) return each.settle(ended)
      waiting.set(id, each)
      watch.begin()
    },
    forget(id) {
      waiting.delete(id)
      if (waiting.size === 0) watch.rest()
    },
  }
}

function outcomeOf(reason: Reason): AppError | 'cancelled' {
  return reason === 'cancelled' ? 'cancelled' : failureOf(reason)
}

function stalled(ms: number): AppError {
  return new AppError(
    'engine-failed',
    `The model on this laptop gave no sign of life for ${Math.round(ms / 60_000)} minutes and was ended. Your transcript is safe. A smaller model needs less of this laptop.`,
  )
}

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
