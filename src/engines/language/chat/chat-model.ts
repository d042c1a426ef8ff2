import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import { AppError } from '#contract/errors.ts'
import { sleep } from '#base/clock.ts'
import type { Question, TextModel, Told } from '../port.ts'
import { readFailure, serverModels, streamOnce, defaultQuirks } from './stream.ts'
import type { ServerModel, Target, ProviderQuirks } from './stream.ts'

export interface ChatServer {
  readonly address: string
  readonly model: string | null
  readonly key: string | null
  readonly context_tokens: number | null
}

export interface ChatTuning {
  readonly pauses?: readonly number[]
  readonly patience?: Patience
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now?: () => number
}

export type KnownQuirks = Map<string, ProviderQuirks>

const pauses = [1_000, 4_000, 15_000]
const MAX_PAUSE = 90_000
const MAX_ANSWER_MS = 60 * 60_000
const MAX_LESSONS = 7
/** Context sizes in tokens for a server on this machine and for others, if neither the settings nor the server gives one. */
const unknownContext = { here: 4096, elsewhere: 16_384 } as const

export async function chatModel(
  server: ChatServer,
  known: KnownQuirks,
  signal: AbortSignal,
  tuning: ChatTuning = {},
): Promise<TextModel> {
  const address = safeAddress(server.address)
  const fetch = patientFetch(tuning.patience ?? patience)
  const listed = await serverModels(fetch, { address, key: server.key }, signal)
  const model = server.model ?? onlyOne(listed)
  const target: Target = { address, model, key: server.key, fetch }
  const context = server.context_tokens ?? listed?.find(({ id }) => id === model)?.context_tokens
  return {
    engine: { name: 'openai-compatible', version: '1', model },
    context_tokens: context ?? (isThisMachine(address) ? unknownContext.here : unknownContext.elsewhere),
    tell: (question, asked, onText) => tell(target, known, question, asked, onText, tuning),
  }
}

async function tell(
  target: Target,
  known: KnownQuirks,
  question: Question,
  signal: AbortSignal,
  onText: (piece: string) => void,
  { pauses: waits = pauses, wait = sleep, now = Date.now }: ChatTuning,
): Promise<Told> {
  const name = `${target.address} ${target.model}`
  let attempt = 0
  let lessons = 0
  for (;;) {
    signal.throwIfAborted()
    const quirks = known.get(name) ?? defaultQuirks
    const late = AbortSignal.timeout(MAX_ANSWER_MS)
    try {
      return await streamOnce(target, question, quirks, AbortSignal.any([signal, late]), onText)
    } catch (error) {
      signal.throwIfAborted()
      if (late.aborted) throw new AppError('engine-failed', tooSlow)
      const failure = readFailure(error, quirks, now())
      if (failure.kind === 'too-long' || failure.kind === 'refused') return { kind: failure.kind }
      if (failure.kind === 'final') throw failure.error
      if (failure.kind === 'learned') {
        lessons += 1
        if (lessons > MAX_LESSONS) throw new AppError('engine-failed', 'The model server refuses the request.')
        known.set(name, failure.quirks)
        continue
      }
      const ms = waits[attempt]
      attempt += 1
      if (ms === undefined || (failure.after_ms ?? 0) > MAX_PAUSE) throw failure.error
      await wait(failure.after_ms ?? ms, signal)
    }
  }
}

function onlyOne(listed: readonly ServerModel[] | null): string {
  const [first, ...others] = listed ?? []
  if (first && others.length === 0) return first.id
  throw new AppError(
    'engine-not-ready',
    first
      ? 'The model server offers several models. Choose one in Settings.'
      : 'Say in Settings which model the server is to use.',
  )
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const isThisMachine = (address: string): boolean => URL.canParse(address) && loopback.test(new URL(address).hostname)

/** Allows https, and http only to this machine, because session content must not travel unencrypted. */
function safeAddress(address: string): string {
  const refuse = (): AppError =>
    new AppError(
      'engine-not-ready',
      'The address of the model server must begin with https, or be on this machine, and hold no key.',
    )
  if (!URL.canParse(address)) throw refuse()
  const url = new URL(address)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') throw refuse()
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

export interface Patience {
  /** Timeout until the response starts. A laptop without a GPU can need minutes to read a long prompt. */
  readonly firstMs: number
  readonly idleMs: number
}

const patience: Patience = { firstMs: 15 * 60_000, idleMs: 3 * 60_000 }
/** In bytes. The response is much longer than the answer: each streamed event wraps a few characters in a JSON object. */
const MAX_ANSWER = 4 * 1024 * 1024

const tooSlow = 'The model server took too long.'
const elsewhere = 'The model server sends to another address, and words of a session go nowhere but to the one that was given.'

/** `fetch` without redirects and with its own timeouts: the built-in `fetch` waits only five minutes for the response headers. */
function patientFetch({ firstMs, idleMs }: Patience): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init)
    const body = asked.body === null ? null : Buffer.from(await asked.arrayBuffer())
    const url = new URL(asked.url)
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest
    const headers = { ...Object.fromEntries(asked.headers), ...(body === null ? {} : { 'content-length': String(body.length) }) }
    const request = send(url, { method: asked.method, headers, signal: asked.signal, agent: false }, (message) => {
      request.setTimeout(idleMs)
      const status = message.statusCode ?? 502
      if (status >= 300 && status < 400) {
        message.destroy()
        reject(new AppError('engine-not-ready', elsewhere))
        return
      }
      const answer = new PassThrough()
      let length = 0
      message.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MAX_ANSWER) request.destroy(new AppError('engine-failed', 'The model server answers more than a note.'))
      })
      message.once('error', (error) => answer.destroy(error))
      message.once('aborted', () => answer.destroy(new TypeError('broken off')))
      request.once('error', (error) => answer.destroy(error))
      answer.once('close', () => message.destroy())
      message.pipe(answer)
      const told = new Headers()
      for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') told.set(name, value)
      const stream = status === 204 || asked.method === 'HEAD' ? null : (Readable.toWeb(answer) as ReadableStream)
      resolve(new Response(stream, { status, headers: told }))
    })
    request.setTimeout(firstMs)
    request.on('timeout', () => request.destroy(new AppError('engine-failed', tooSlow)))
    request.on('error', (error) => reject(asked.signal.aborted ? asked.signal.reason : error))
    request.end(body ?? undefined)
    return promise
  }
}
