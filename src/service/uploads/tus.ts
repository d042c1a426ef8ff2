import { Server, type Lock, type Locker, type RequestRelease } from '@tus/server'
import { newId } from '#base/ids.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { idSchema } from '#contract/model/common.ts'
import type { Call, Connection } from '#service/access/call.ts'
import type { UploadServices } from './upload-services.ts'
import { TusStore } from './tus-store.ts'

/** Id chosen by the sender, who can then find the upload after a lost response. */
function chosenId(metadata: Record<string, string | null> = {}): string | null {
  const id = idSchema.safeParse(metadata['id'])
  return id.success ? id.data : null
}

const passedOn = ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Metadata'] as const

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
    if (datastore.expires !== null && request.method !== 'DELETE')
      headers.set('Upload-Expires', new Date(datastore.expires).toUTCString())
    if (datastore.isReplay) headers.set('Idempotency-Replayed', 'true')
    return new Response(null, { status: answer.status, headers })
  }
}

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
  500: 'still-running',
}

const codeOf = (status: number): ErrorCode => codes[status] ?? 'bad-request'

function baseOf(request: Request): string {
  return new URL(request.url).pathname.startsWith('/api/v1/') ? '/api/v1' : '/v1'
}

const PATIENCE_MS = 30_000

interface Hold {
  readonly endSoon: RequestRelease
  readonly freed: PromiseWithResolvers<void>
}

/** A new request asks the holder to stop and waits, because a dropped connection may still hold the lock. */
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
