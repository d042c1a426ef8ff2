import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a chat server that misbehaves on demand. */
export type ChatStep =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Streams this text, in so many pieces, with this reason for ending. */
  | {
      readonly say: string | ((request: ChatRequest) => string)
      readonly pieces?: number
      readonly finish?: string
      readonly refusal?: string
      readonly prompt_tokens?: number
      /** Says the first half and then nothing until it is let go. */
      readonly pause?: boolean
    }
  /** Answers nothing. */
  | 'hang'
  /** Begins an answer and breaks the connection off. */
  | 'cut'
  /** Never ends: words of an answer, or one event. */
  | { readonly flood: 'words' | 'event' }

export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  readonly temperature?: number
  readonly seed?: number
  readonly max_tokens?: number
  readonly stream_options?: unknown
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: Record<string, unknown> } }
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

export interface ScriptedChat {
  /** Ends in `/v1`. */
  readonly address: string
  readonly requests: readonly ChatRequest[]
  readonly authorizations: readonly (string | undefined)[]
  /** Paths of all requests, in order. */
  readonly paths: readonly string[]
  /** Requests that the other side gave up before they were answered. */
  aborted(count: number): Promise<void>
  arrived(count: number): Promise<void>
  letGo(): void
  close(): Promise<void>
}

export interface ChatOptions {
  /** What `/models` lists; null: there is no such list. */
  readonly models?: readonly Record<string, unknown>[] | null
}

/** An OpenAI-compatible chat server on loopback. Answers step by step; the last step goes on for ever. */
export async function startScriptedChat(steps: readonly ChatStep[], options: ChatOptions = {}): Promise<ScriptedChat> {
  const requests: ChatRequest[] = []
  const authorizations: (string | undefined)[] = []
  const paths: string[] = []
  const listeners = new Set<() => void>()
  const go = Promise.withResolvers<void>()
  let gone = 0
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const server = createServer((request, response) => {
    void (async () => {
      paths.push(request.url ?? '')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (request.url === '/v1/models') {
        const { models = [{ id: 'tiny', object: 'model' }] } = options
        if (models === null) response.writeHead(404).end()
        else send(response, 200, JSON.stringify({ object: 'list', data: models }))
        return
      }
      authorizations.push(request.headers.authorization)
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest
      const step = steps[Math.min(requests.push(asked) - 1, steps.length - 1)]!
      response.once('close', () => {
        if (response.writableFinished) return
        gone += 1
        tell()
      })
      tell()
      if (step === 'hang') await go.promise
      else if (step === 'cut') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(event({ choices: [{ index: 0, delta: { role: 'assistant', content: '{"sections":' } }] }), () =>
          response.destroy(),
        )
      } else if ('status' in step) send(response, step.status, step.body ?? '{}', step.headers)
      else if ('flood' in step) await flood(response, step.flood)
      else await stream(response, step, asked, go.promise)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const until = (met: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!met()) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    authorizations,
    paths,
    arrived: (count) => until(() => requests.length >= count),
    aborted: (count) => until(() => gone >= count),
    letGo: go.resolve,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Until nobody listens any more. */
async function flood(response: ServerResponse, kind: 'words' | 'event'): Promise<void> {
  const words = 'and then '.repeat(200)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (kind === 'event') response.write('data: {"choices":[{"index":0,"delta":{"content":"')
  while (!response.destroyed) {
    const isTaken = response.write(kind === 'words' ? event({ choices: [{ index: 0, delta: { content: words } }] }) : words)
    if (!isTaken) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve))
  }
}

async function stream(
  response: ServerResponse,
  step: Extract<ChatStep, { say: unknown }>,
  asked: ChatRequest,
  go: Promise<void>,
): Promise<void> {
  const text = typeof step.say === 'string' ? step.say : step.say(asked)
  const pieces = Math.max(1, step.pieces ?? 4)
  const size = Math.max(1, Math.ceil(text.length / pieces))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const choice = (delta: object, finish_reason: string | null = null): void =>
    void response.write(event({ choices: [{ index: 0, delta, finish_reason }] }))
  choice({ role: 'assistant', content: '' })
  for (let at = 0; at < text.length; at += size) {
    if (step.pause && at >= text.length / 2) await go
    choice({ content: text.slice(at, at + size) })
  }
  if (step.refusal !== undefined) choice({ refusal: step.refusal })
  choice({}, step.finish ?? 'stop')
  if (step.prompt_tokens !== undefined)
    response.write(event({ choices: [], usage: { prompt_tokens: step.prompt_tokens, completion_tokens: 1, total_tokens: 1 } }))
  response.end('data: [DONE]\n\n')
}

function event(value: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'tiny', ...value })}\n\n`
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}
