import { ParseError } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import type { Question, Told } from '../port.ts'
import { retryAfterMs } from '#base/clock.ts'

export interface Target {
  readonly address: string
  readonly model: string
  readonly key: string | null
  readonly fetch: typeof fetch
}

/** `words` is the start of the response body. It may repeat the prompt, so the error message contains only the status. */
class ChatRefusal extends Error {
  readonly status: number
  readonly headers: Headers
  readonly words: string

  constructor(status: number, headers: Headers, words: string) {
    super(`The model server answered ${status}.`)
    this.status = status
    this.headers = headers
    this.words = words
  }
}

const sampling = { temperature: 0.1, seed: 7 } as const
/** In characters. `onText` gets pieces of the answer that are at least this long. */
const PROGRESS_STEP = 60

/** In characters. Limits the answer and each streamed event. */
const MAX_ANSWER = 256 * 1024
/** In characters. The rest of an error response is ignored. */
const MAX_REFUSAL = 16 * 1024

const tooLong = (): AppError => new AppError('engine-failed', 'The model server answers with more than a note, and was stopped.')

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number().nullish() }).nullish(),
  error: z.null().optional(),
})

export async function streamOnce(
  target: Target,
  question: Question,
  quirks: ProviderQuirks,
  signal: AbortSignal,
  onText: (piece: string) => void,
): Promise<Told> {
  const response = await target.fetch(`${target.address}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(target.key === null ? {} : { authorization: `Bearer ${target.key}` }),
    },
    body: JSON.stringify(requestOf(target.model, question, quirks)),
    signal,
  })
  if (!response.ok || response.body === null)
    throw new ChatRefusal(response.status, response.headers, (await response.text()).slice(0, MAX_REFUSAL))
  try {
    return await readStream(response.body, onText)
  } catch (error) {
    // The parser throws only if an event is too long.
    throw error instanceof ParseError ? tooLong() : error
  }
}

async function readStream(body: ReadableStream<Uint8Array>, onText: (piece: string) => void): Promise<Told> {
  let text = ''
  let reported = 0
  let isRefused = false
  let finish: string | null = null
  let readTokens: number | null = null
  const bytes = body as ReadableStream<Uint8Array<ArrayBuffer>>
  for await (const { data } of bytes
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_ANSWER }))) {
    if (data === '[DONE]') {
      finish ??= 'stop'
      break
    }
    const { choices, usage } = chunkSchema.parse(JSON.parse(data))
    readTokens = usage?.prompt_tokens ?? readTokens
    const choice = choices?.[0]
    if (choice === undefined) continue
    finish = choice.finish_reason ?? finish
    isRefused ||= Boolean(choice.delta?.refusal)
    text += choice.delta?.content ?? ''
    if (text.length > MAX_ANSWER) throw tooLong()
    if (text.length - reported >= PROGRESS_STEP) {
      onText(text.slice(reported))
      reported = text.length
    }
  }
  if (finish === null) throw new Error('The answer broke off.')
  if (isRefused || finish === 'content_filter') return { kind: 'refused' }
  return { kind: 'text', text, is_cut: finish === 'length', read_tokens: readTokens }
}

const requestOf = (model: string, { instructions, prompt, form, most_tokens }: Question, quirks: ProviderQuirks): object => ({
  model,
  messages: [
    { role: 'system', content: instructions },
    { role: 'user', content: prompt },
  ],
  stream: true,
  ...(quirks.usage ? { stream_options: { include_usage: true } } : {}),
  ...(quirks.sampling ? sampling : {}),
  ...(quirks.limit ? { max_tokens: most_tokens } : {}),
  ...formatOf(quirks, form),
})

function formatOf({ format }: ProviderQuirks, form: Question['form']): object {
  switch (format) {
    case 'schema':
      return {
        response_format: { type: 'json_schema', json_schema: { name: 'note', strict: true, schema: form } },
      }
    case 'object':
      return { response_format: { type: 'json_object' } }
    case 'text':
      return {}
  }
}

export interface ProviderQuirks {
  readonly format: 'schema' | 'object' | 'text'
  readonly sampling: boolean
  readonly limit: boolean
  readonly usage: boolean
}

export const defaultQuirks: ProviderQuirks = { format: 'schema', sampling: true, limit: true, usage: true }

type Lesson = { readonly quirks: ProviderQuirks } | 'too-long' | 'refused' | 'unknown'

const tooLongWords =
  /context.{0,40}(?:length|size|window|exceed)|exceed.{0,60}(?:context|tokens)|prompt.{0,30}too long|too many tokens|maximum.{0,30}context/i
const filtered = /content[ _-]?(?:filter|policy|management)|responsible ?ai|safety (?:system|policy)/i

function learn(quirks: ProviderQuirks, words: string): Lesson {
  if (quirks.limit && /max_(?:completion_)?tokens/i.test(words) && !/context/i.test(words))
    return { quirks: { ...quirks, limit: false } }
  if (tooLongWords.test(words)) return 'too-long'
  if (filtered.test(words)) return 'refused'
  if (quirks.usage && /stream_options|include_usage/i.test(words)) return { quirks: { ...quirks, usage: false } }
  if (quirks.sampling && /temperature|\bseed\b/i.test(words)) return { quirks: { ...quirks, sampling: false } }
  if (quirks.format === 'schema') return { quirks: { ...quirks, format: 'object' } }
  if (quirks.format === 'object') return { quirks: { ...quirks, format: 'text' } }
  if (quirks.sampling || quirks.limit || quirks.usage)
    return { quirks: { format: 'text', sampling: false, limit: false, usage: false } }
  return 'unknown'
}

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

const notReady = (detail: string): Failure => ({ kind: 'final', error: new AppError('engine-not-ready', detail) })

export interface ServerModel {
  readonly id: string
  readonly context_tokens: number | null
}

const size = z.number().positive().nullish().catch(null)
/** The fields after `id` are the context size in vLLM, OpenRouter, Groq, LM Studio, and llama.cpp, in this order. */
const modelSchema = z.object({
  id: z.string().max(300),
  max_model_len: size,
  context_length: size,
  context_window: size,
  loaded_context_length: size,
  meta: z.object({ n_ctx: size }).nullish().catch(null),
})
const modelsSchema = z.object({ data: z.array(modelSchema).max(2000) })

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
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) throw new AppError('engine-not-ready', keyRefused)
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
