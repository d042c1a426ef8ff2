import { Server, type Lock, type Locker, type RequestRelease } from '@tus/server'
import { newId } from '#base/ids.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { idSchema } from '#contract/model/common.ts'
import type { Call, Connection } from '#service/access/call.ts'
import type { UploadServices } from './upload-services.ts'
import { TusStore } from './tus-store.ts'

/** Its sender may choose it, to find the upload again whatever became of the first answer. */
function chosenId(metadata: Record<string, string | null> = {}): string | null {
  const id = idSchema.safeParse(metadata['id'])
  return id.success ? id.data : null
}

/** Of what the library answers, what tus says; the rest is this service's own to say. */
const passedOn = ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Metadata'] as const

/** One request of the tus protocol, by `@tus/server` over the practice's store. */
export function tus(services: UploadServices): (call: Call, connection: Connection) => Promise<Response> {
  const locker = uploadLocker()
  return async (call, connection) => {
    const failure: { error?: unknown } = {}
    const { request } = connection
    if (request.headers.get('tus-resumable') !== '1.0.0') throw new AppError('tus-version')
    const datastore = new TusStore(services, call, connection)
    const server = new Server({
      path: '/uploads',
      locker,
      datastore,
      maxSize: services.uploads.mostBytes,
      namingFunction: (_request, metadata) => chosenId(metadata) ?? newId(services.clock),
      getFileIdFromRequest: () => (call.params as { readonly id?: string } | undefined)?.id,
      generateUrl: (_request, { id }) => `${baseOf(request)}/uploads/${id}`,
      // No page of another origin is let in, so nothing is said to them.
      allowedOrigins: [],
      onResponseError: (_request, error) => {
        failure.error = error
        return undefined
      },
    })
    const answer = await server.handleWeb(request)
    if (failure.error !== undefined) throw failureOf(failure.error)
    if (answer.status >= 400) throw new AppError(codeOf(answer.status))
    const headers = new Headers()
    for (const name of passedOn) {
      const value = answer.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    // Reckoned by the service's clock, not by the library's own.
    if (datastore.expires !== null && request.method !== 'DELETE')
      headers.set('Upload-Expires', new Date(datastore.expires).toUTCString())
    if (datastore.isReplay) headers.set('Idempotency-Replayed', 'true')
    return new Response(null, { status: answer.status, headers })
  }
}

/** The library throws plain objects with a status and a sentence; ours pass through it as they are. */
function failureOf(error: unknown): unknown {
  const status = (error as { status_code?: unknown } | null)?.status_code
  return typeof status === 'number' ? new AppError(codeOf(status)) : error
}

const codes: Readonly<Record<number, ErrorCode>> = {
  403: 'bad-request',
  404: 'not-found',
  409: 'upload-moved-on',
  410: 'gone',
  412: 'tus-version',
  413: 'too-large',
  // Another request holds the upload and does not let go of it.
  500: 'still-running',
}

const codeOf = (status: number): ErrorCode => codes[status] ?? 'bad-request'

/** The base address in the notation that was called. */
function baseOf(request: Request): string {
  return new URL(request.url).pathname.startsWith('/api/v1/') ? '/api/v1' : '/v1'
}

const PATIENCE_MS = 30_000

interface Hold {
  readonly endSoon: RequestRelease
  readonly freed: PromiseWithResolvers<void>
}

/**
 * One request about an upload at a time. Whoever comes while it is held asks the other to come to an end, and waits: a
 * line that broke without a word may still be held by its request. Other processes are told by the blob itself.
 */
export function uploadLocker(waitMs = PATIENCE_MS): Locker {
  const held = new Map<string, Hold>()
  return { newLock: (id) => lockOf(id) }

  function lockOf(id: string): Lock {
    return {
      lock: async (signal, endSoon) => {
        const patience = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
        for (let other = held.get(id); other !== undefined; other = held.get(id)) {
          await other.endSoon()
          await settled(other.freed.promise, patience)
          if (patience.aborted && held.has(id)) throw new AppError('still-running', 'Another request is sending this audio.')
        }
        held.set(id, { endSoon, freed: Promise.withResolvers() })
      },
      unlock: async () => {
        const hold = held.get(id)
        held.delete(id)
        hold?.freed.resolve()
      },
    }
  }
}

async function settled(freed: Promise<void>, patience: AbortSignal): Promise<void> {
  if (patience.aborted) return
  const given = Promise.withResolvers<void>()
  const giveUp = (): void => given.resolve()
  patience.addEventListener('abort', giveUp, { once: true })
  await Promise.race([freed, given.promise])
  patience.removeEventListener('abort', giveUp)
}
