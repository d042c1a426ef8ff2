import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import { AppError } from '#contract/errors.ts'

export interface Patience {
  /** Time to the first byte: a laptop without a GPU can read a long prompt for minutes. */
  readonly firstMs: number
  readonly idleMs: number
}

export const patience: Patience = { firstMs: 15 * 60_000, idleMs: 3 * 60_000 }
/** In bytes. Every event of the stream wraps a few characters of the answer in a long JSON object. */
const MAX_ANSWER = 4 * 1024 * 1024

export const tooSlow = 'The model server took too long.'
const elsewhere = 'The model server sends to another address, and words of a session go nowhere but to the one that was given.'

/** `fetch` with custom timeouts (the built-in one gives up after five minutes) that refuses redirects. */
export function patientFetch({ firstMs, idleMs }: Patience): typeof fetch {
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
