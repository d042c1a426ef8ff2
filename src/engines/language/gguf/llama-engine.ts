import { availableParallelism } from 'node:os'
import { listenToStarter, stepBack, tellStarter } from '#engines/engine-side.ts'
import { importLibrary, orderSchema } from './llama-library.ts'
import type { Context, Llama, LlamaLibrary, Model, Order, Reason, Report } from './llama-library.ts'

interface Loaded {
  readonly library: LlamaLibrary
  readonly llama: Llama
  readonly model: Model
  readonly context: Context
}

const MIN_TOKENS = 1024
const sampling = { temperature: 0.1, seed: 7 } as const
const asked = new Map<number, AbortController>()
let loaded: Loaded | null = null
let queue: Promise<void> = Promise.resolve()

/** Leaves one core free for a recording, if there is more than one. */
const threads = Math.max(1, availableParallelism() - 1)

const tell = (report: Report): void => tellStarter(report)

async function load(order: Extract<Order, { kind: 'load' }>): Promise<void> {
  try {
    const library = await importLibrary(order.home)
    if (library === null) return tell({ kind: 'failed', id: null, reason: 'not-installed' })
    const llama = await library.getLlama({
      gpu: process.platform === 'darwin' ? 'auto' : false,
      build: 'never',
      logLevel: 'disabled',
      progressLogs: false,
      skipDownload: true,
    })
    const model = await llama.loadModel({ modelPath: order.file })
    const max = Math.max(MIN_TOKENS, Math.min(order.context_tokens, model.trainContextSize))
    const context = await model.createContext({ contextSize: { min: MIN_TOKENS, max }, threads })
    loaded = { library, llama, model, context }
    tell({ kind: 'loaded', context_tokens: context.contextSize })
  } catch {
    tell({ kind: 'failed', id: null, reason: 'not-loaded' })
  }
}

async function answer(order: Extract<Order, { kind: 'ask' }>): Promise<void> {
  const { id, instructions, prompt, form, most_tokens } = order
  const control = asked.get(id) ?? new AbortController()
  const failed = (reason: Reason): void => tell({ kind: 'failed', id, reason })
  if (loaded === null) return failed('not-loaded')
  if (control.signal.aborted) return failed('cancelled')
  const { library, llama, model, context } = loaded
  const read = model.tokenize(`${instructions}\n${prompt}`).length
  // The library would silently drop the beginning of a prompt that is too long.
  if (read + most_tokens + 64 > context.contextSize) return failed('too-long')
  const session = new library.LlamaChatSession({
    contextSequence: context.getSequence(),
    systemPrompt: instructions,
    autoDisposeSequence: true,
  })
  try {
    const { stopReason } = await session.promptWithMeta(prompt, {
      grammar: await llama.createGrammarForJsonSchema(form),
      maxTokens: most_tokens,
      ...sampling,
      signal: control.signal,
      onTextChunk: (piece) => tell({ kind: 'text', id, piece }),
    })
    tell({ kind: 'done', id, is_cut: stopReason === 'maxTokens', read_tokens: read })
  } catch {
    failed(control.signal.aborted ? 'cancelled' : 'failed')
  } finally {
    session.dispose()
    asked.delete(id)
  }
}

stepBack()
listenToStarter((message) => {
  const order = orderSchema.parse(message)
  if (order.kind === 'cancel') asked.get(order.id)?.abort()
  else if (order.kind === 'load') queue = queue.then(() => load(order))
  else {
    asked.set(order.id, new AbortController())
    queue = queue.then(() => answer(order))
  }
})
