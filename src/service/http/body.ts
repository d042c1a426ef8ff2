import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '#contract/errors.ts'
import { MAX_BODY_BYTES } from '#contract/rest/limits.ts'
import type { Route } from '#contract/rest/route.ts'
import type { ByteBudget, OpenBody } from '#service/access/byte-budget.ts'
import type { Guard } from './variables.ts'

const inflate = promisify(gunzip)

/** Reads the body up to the route's limit. Where the limit is a larger one, gzip is taken too and counted unpacked. */
export function body(route: Route, budget: ByteBudget): Guard {
  const limit = route.bodyLimit ?? MAX_BODY_BYTES
  return async (c, next) => {
    if (!route.body) return next()
    const coding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
    const isGzip = coding === 'gzip' && route.bodyLimit !== undefined
    if (coding !== 'identity' && !isGzip) throw new AppError('unsupported-media', 'This content coding is not taken here.')
    const announced = c.req.header('content-length')
    if (Number(announced ?? 0) > limit) throw new AppError('too-large')
    const open = budget.open(c.get('caller'))
    try {
      const bytes =
        announced === undefined ? await read(c.req.raw.body, limit, open) : await readAnnounced(c.req.raw, limit, open)
      const unpacked = isGzip ? await unpack(bytes, limit) : bytes
      if (isGzip) open.take(unpacked.length)
      c.set('bytes', unpacked)
      await next()
    } finally {
      open.end()
    }
  }
}

/** A length that was announced is kept to by whoever took the request in; there is no need for a stream then. */
async function readAnnounced(request: Request, limit: number, open: OpenBody): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > 0) open.take(announced)
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length > limit) throw new AppError('too-large')
  return bytes
}

async function read(stream: ReadableStream<Uint8Array> | null, limit: number, open: OpenBody): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream ?? []) {
    length += chunk.length
    if (length > limit) throw new AppError('too-large')
    open.take(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function unpack(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    return await inflate(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new AppError('too-large')
    throw new AppError('bad-request', 'The body is not gzip.', [], { cause: error })
  }
}
