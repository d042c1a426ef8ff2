import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a speech server that misbehaves on demand. */
export type Step =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Answers nothing until it is let go. */
  | 'hang'
  /** Begins an answer and breaks the connection off. */
  | 'cut'

export interface ScriptedSpeech {
  readonly address: string
  /** Form fields of each request, the sound left out. */
  readonly requests: readonly Readonly<Record<string, string[]>>[]
  readonly authorizations: readonly (string | undefined)[]
  /** Resolves when the so-manieth request has come. */
  arrived(count: number): Promise<void>
  /** Answers every request that hangs, and those to come. */
  letGo(step: Exclude<Step, 'hang'>): void
  close(): Promise<void>
}

/** Answers step by step; the last step goes on for ever. */
export async function startScriptedSpeech(steps: readonly Step[]): Promise<ScriptedSpeech> {
  const requests: Record<string, string[]>[] = []
  const authorizations: (string | undefined)[] = []
  const listeners = new Set<() => void>()
  const letGo = Promise.withResolvers<Exclude<Step, 'hang'>>()
  const server = createServer((request, response) => {
    void (async () => {
      const fields = await fieldsOf(request)
      authorizations.push(request.headers.authorization)
      const asked = steps[Math.min(requests.push(fields) - 1, steps.length - 1)]!
      for (const listener of listeners) listener()
      const step = asked === 'hang' ? await letGo.promise : asked
      if (step === 'cut') {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"text":')
        response.destroy()
      } else response.writeHead(step.status, { 'Content-Type': 'application/json', ...step.headers }).end(step.body ?? '{}')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    authorizations,
    letGo: letGo.resolve,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function fieldsOf(request: IncomingMessage): Promise<Record<string, string[]>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'Content-Type': request.headers['content-type'] ?? '' },
  }).formData()
  const fields: Record<string, string[]> = {}
  for (const [name, value] of form) (fields[name] ??= []).push(typeof value === 'string' ? value : `${value.type} ${value.size}`)
  return fields
}
