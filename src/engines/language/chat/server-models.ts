import { z } from 'zod'
import { AppError } from '#contract/errors.ts'

export interface ServerModel {
  readonly id: string
  /** Tokens of question and answer together; null where the server does not say. */
  readonly context_tokens: number | null
}

const size = z.number().positive().nullish().catch(null)
/** Servers name it differently: vLLM, OpenRouter and Groq, LM Studio, llama.cpp. */
const modelSchema = z.object({
  id: z.string().max(300),
  max_model_len: size,
  context_length: size,
  context_window: size,
  loaded_context_length: size,
  meta: z.object({ n_ctx: size }).nullish().catch(null),
})
const modelsSchema = z.object({ data: z.array(modelSchema).max(2000) })

/** A list is there at once, whatever the model is doing. */
const patienceMs = 20_000

const notReached = 'The model server does not answer. Look whether it is running, and test it in Settings.'
export const keyRefused = 'The model server does not take this key.'

/** What the server offers, or null where it keeps no list. */
export async function serverModels(
  fetch: typeof globalThis.fetch,
  { address, key }: { readonly address: string; readonly key: string | null },
  signal: AbortSignal,
): Promise<readonly ServerModel[] | null> {
  const late = AbortSignal.timeout(patienceMs)
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
