import { ParseError } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import type { Question, Told } from '../port.ts'

export interface Target {
  readonly address: string
  readonly model: string
  readonly key: string | null
  readonly fetch: typeof fetch
}

/** The server answered with an error status. Its text may repeat the prompt, so only `readFailure` reads it. */
export class ChatRefusal extends Error {
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

/** Low temperature and a fixed seed keep drafts of one session nearly identical. */
const sampling = { temperature: 0.1, seed: 7 } as const
/** Characters of an answer between two progress reports. */
const PROGRESS_STEP = 60

/** In characters: many times the longest note. */
const MAX_ANSWER = 256 * 1024
/** Characters of an error body to search for the reason. */
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
    // A single event exceeded the parser's limit.
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

function requestOf(model: string, { instructions, prompt, form, most_tokens }: Question, quirks: ProviderQuirks): object {
  return {
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
  }
}

function formatOf({ format }: ProviderQuirks, form: Question['form']): object {
  switch (format) {
    case 'schema':
      return {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'note', strict: true, schema: form },
        },
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

/** If the error gives no reason, the request becomes simpler step by step. The text may repeat the prompt, so it is not stored. */
export function learn(quirks: ProviderQuirks, words: string): Lesson {
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
