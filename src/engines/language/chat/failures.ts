import { retryAfterMs } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { ChatRefusal, learn, type ProviderQuirks } from './stream.ts'
import { z } from 'zod'

export type Failure =
  | { readonly kind: 'final'; readonly error: AppError }
  | { readonly kind: 'again'; readonly error: AppError; readonly after_ms: number | null }
  | { readonly kind: 'learned'; readonly quirks: ProviderQuirks }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'refused' }

export function readFailure(error: unknown, quirks: ProviderQuirks, now: number): Failure {
  if (error instanceof AppError) return { kind: 'final', error }
  if (!(error instanceof ChatRefusal) || error.status < 400) return again('The model server does not answer or broke off.')
  const { status } = error
  if (status === 401 || status === 403) return notReady(keyRefused)
  if (status === 404 || status === 405) return notReady('The model server has no chat at this address, or not this model.')
  if (status === 413) return { kind: 'too-long' }
  if (status === 429 || (status >= 500 && status !== 501))
    return again(`The model server is busy or broken (${status}).`, retryAfterMs(error.headers.get('retry-after'), now))
  const lesson = learn(quirks, error.words)
  if (lesson === 'too-long' || lesson === 'refused') return { kind: lesson }
  if (lesson !== 'unknown') return { kind: 'learned', quirks: lesson.quirks }
  return { kind: 'final', error: new AppError('engine-failed', `The model server refuses the request (${status}).`) }
}

function again(detail: string, after: number | null = null): Failure {
  return { kind: 'again', error: new AppError('engine-failed', detail), after_ms: after }
}

function notReady(detail: string): Failure {
  return { kind: 'final', error: new AppError('engine-not-ready', detail) }
}

export interface ServerModel {
  readonly id: string
  readonly context_tokens: number | null
}

const size = z.number().positive().nullish().catch(null)
/** Servers name their context size differently: vLLM, OpenRouter, Groq, LM Studio and llama.cpp. */
const modelSchema = z.object({
  id: z.string().max(300),
  max_model_len: size,
  context_length: size,
  context_window: size,
  loaded_context_length: size,
  meta: z.object({ n_ctx: size }).nullish().catch(null),
})
const modelsSchema = z.object({ data: z.array(modelSchema).max(2000) })

/** Listing models is fast even while the model is busy. */
const PATIENCE_MS = 20_000

const notReached = 'The model server does not answer. Look whether it is running, and test it in Settings.'
const keyRefused = 'The model server does not take this key.'

export async function serverModels(
  fetch: typeof globalThis.fetch,
  { address, key }: { readonly address: string; readonly key: string | null },
  signal: AbortSignal,
): Promise<readonly ServerModel[] | null> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(`${address}/models`, {
    headers: { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    signal: AbortSignal.any([signal, late]),
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    if (error instanceof AppError && !late.aborted) throw error
    throw new AppError('engine-not-ready', notReached)
  })
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel()
    throw new AppError('engine-not-ready', keyRefused)
  }
  if (!response.ok) {
    await response.body?.cancel()
    return null
  }
  const read = modelsSchema.safeParse(await response.json().catch(() => null))
  if (!read.success) return null
  return read.data.data.map((model) => ({
    id: model.id,
    context_tokens:
      model.loaded_context_length ??
      model.max_model_len ??
      model.context_length ??
      model.context_window ??
      model.meta?.n_ctx ??
      null,
  }))
}
