import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '#contract/errors.ts'
import { MAX_BODY_BYTES } from '#contract/rest/limits.ts'
import type { Route } from '#contract/rest/route.ts'
import type { ByteBudget } from './byte-budget.ts'
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
    const isCounted = announced !== undefined && /^\d+$/.test(announced) && !isGzip
    const done = budget.open(c.get('caller'), isCounted ? Number(announced) : limit)
    let taken = 0
    try {
      // A length that was announced is kept to by whoever took the request in; there is no need for a stream then.
      const isAnnounced = announced !== undefined
      const bytes = isAnnounced ? Buffer.from(await c.req.raw.arrayBuffer()) : await read(c.req.raw.body, limit)
      taken = bytes.length
      if (taken > limit) throw new AppError('too-large')
      const unpacked = isGzip ? await unpack(bytes, limit) : bytes
      taken = unpacked.length
      c.set('bytes', unpacked)
      await next()
    } finally {
      done(taken)
    }
  }
}

async function read(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream ?? []) {
    length += chunk.length
    if (length > limit) throw new AppError('too-large')
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
