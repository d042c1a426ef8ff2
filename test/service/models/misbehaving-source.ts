import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the source does with one request for a file; `honest` serves what it should, ranges and ETag included. */
export type Mischief =
  | 'honest'
  /** Breaks off after so many bytes of this answer. */
  | { readonly cutAfter: number }
  /** Sends so many bytes, then nothing until it is let go. */
  | { readonly stallAfter: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'html page'
  | 'other length'
  /** The right length and wrong bytes. */
  | 'wrong bytes'
  /** Serves all of it, whatever range was asked for. */
  | 'ignores range'
  /** From now on the file is another one of the same length, under another ETag. */
  | 'changes file'
  | 'another range'
  | 'weak etag'

export interface Asked {
  readonly path: string
  readonly range: string | null
  readonly ifRange: string | null
}

export interface SourceServer {
  /** No slash at the end: to be given as a mirror. */
  readonly address: string
  /** Requests for files, the lists left out. */
  readonly asked: readonly Asked[]
  readonly lists: readonly string[]
  /** The next requests for files, in order; then honest. */
  will(...steps: readonly Mischief[]): void
  /** Called at each request for a file, before it is answered. */
  eachTime(listener: () => void): void
  /** Resolves when so many requests for files have come. */
  arrived(count: number): Promise<void>
  /** Resolves once so many answers stand still. */
  stalled(count?: number): Promise<void>
  letGo(): void
  close(): Promise<void>
}

export interface Repository {
  /** `owner/name` to files. */
  readonly [repository: string]: Readonly<Record<string, Buffer>>
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Small files have git's checksum in the list, as at the real source; `large` ones their SHA-256. */
function treeOf(files: Readonly<Record<string, Buffer>>, large: number): unknown[] {
  return Object.entries(files).map(([path, bytes]) => {
    const git = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    const line = { type: 'file', path, size: bytes.length, oid: git }
    return bytes.length >= large ? { ...line, lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 134 } } : line
  })
}

/** A source of models on loopback, with the paths of the real ones, that misbehaves on demand. */
export async function startSource(repositories: Repository, { largeFrom = 1000, port = 0 } = {}): Promise<SourceServer> {
  const asked: Asked[] = []
  const lists: string[] = []
  const steps: Mischief[] = []
  const listeners = new Set<() => void>()
  const changed = new Map<string, Buffer>()
  let stalls = 0
  const freed = Promise.withResolvers<void>()

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://source').pathname)
    const list = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/main$/.exec(path)?.[1]
    if (list !== undefined) {
      lists.push(list)
      const files = repositories[list]
      response.writeHead(files ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(files ? treeOf(files, largeFrom) : { error: 'not found' }))
      return
    }
    const [, repository, name] = /^\/([^/]+\/[^/]+)\/resolve\/main\/(.+)$/.exec(path) ?? []
    const bytes = changed.get(path) ?? repositories[repository ?? '']?.[name ?? '']
    asked.push({ path, range: request.headers.range ?? null, ifRange: (request.headers['if-range'] as string) ?? null })
    for (const listener of listeners) listener()
    if (bytes === undefined) response.writeHead(404).end()
    else serve(request, response, path, bytes, steps.shift() ?? 'honest')
  })

  function serve(request: IncomingMessage, response: ServerResponse, path: string, bytes: Buffer, step: Mischief): void {
    if (step === 'changes file') {
      const other = Buffer.from(bytes.map((byte) => byte ^ 0xff))
      changed.set(path, other)
      return serve(request, response, path, other, 'honest')
    }
    if (typeof step === 'object' && 'status' in step) {
      response.writeHead(step.status, step.headers).end('no')
      return
    }
    if (step === 'html page') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>Welcome</title>')
      return
    }
    const sent =
      step === 'wrong bytes'
        ? Buffer.from(bytes.map((byte) => byte ^ 1))
        : step === 'other length'
          ? Buffer.concat([bytes, bytes])
          : bytes
    const tag = step === 'weak etag' ? `W/"${sha256(sent).slice(0, 16)}"` : `"${sha256(sent).slice(0, 16)}"`
    const from = step === 'ignores range' ? 0 : rangeOf(request, tag)
    const start = step === 'another range' && from > 0 ? from - 1 : from
    const body = sent.subarray(start)
    response.writeHead(start > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      etag: tag,
      ...(start > 0 ? { 'content-range': `bytes ${start}-${sent.length - 1}/${sent.length}` } : {}),
    })
    if (typeof step === 'object') void halt(response, body, step)
    else response.end(body)
  }

  async function halt(
    response: ServerResponse,
    body: Buffer,
    step: { cutAfter: number } | { stallAfter: number },
  ): Promise<void> {
    const bytes = 'cutAfter' in step ? step.cutAfter : step.stallAfter
    // Only what has left this process can arrive.
    await new Promise<void>((sent) => response.write(body.subarray(0, bytes), () => sent()))
    // A reset would throw away what the reader's kernel holds; an end lets it arrive.
    if ('cutAfter' in step) return void response.socket?.end()
    stalls += 1
    for (const listener of listeners) listener()
    await freed.promise
    response.end(body.subarray(bytes))
  }

  function when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    lists,
    will: (...more) => void steps.push(...more),
    eachTime: (listener) => void listeners.add(listener),
    arrived: (count) => when(() => asked.length >= count),
    stalled: (count = 1) => when(() => stalls >= count),
    letGo: () => freed.resolve(),
    close: () => {
      freed.resolve()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** RFC 9110, 13.1.5: a range counts only where the tag still fits. */
function rangeOf(request: IncomingMessage, tag: string): number {
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
  const condition = request.headers['if-range']
  return from === undefined || (condition !== undefined && condition !== tag) ? 0 : Number(from)
}
