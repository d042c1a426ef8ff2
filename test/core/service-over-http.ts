import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'

type Store = ServiceOptions['store']
/** Where its records stand; beside the vault in SQLite unless it says otherwise. */
export type StoreFor = (file: string, key: Uint8Array) => Promise<Store>

/**
 * A database for each file, in a PostgreSQL that goes with the process that asked first. The file says which it is: the
 * app looks for one, and a process that is killed leaves it to the next.
 */
export const onPostgres: StoreFor = async (file, key) => {
  if (!existsSync(file)) writeFileSync(file, process.env['AFTERWORD_TEST_DATABASE'] ?? (await newDatabase()))
  return { kind: 'postgres', url: readFileSync(file, 'utf8'), key: Uint8Array.from(key) }
}

/** For processes that are killed: their database must outlive them. */
export const databaseOfChildren = async (): Promise<NodeJS.ProcessEnv> =>
  process.env['AFTERWORD_TEST_SERVICE'] === 'postgres' ? { AFTERWORD_TEST_DATABASE: await newDatabase() } : {}

async function newDatabase(): Promise<string> {
  const { freshStore } = await import('#test/service/store-kit.ts')
  const { options } = await freshStore('postgres')
  return options.kind === 'postgres' ? options.url : ''
}

const beside: StoreFor = async (file, key) => ({ kind: 'sqlite', file, key })

/** The service as a practice runs it: over HTTP, for callers with keys, far from any recording. The app does not know. */
export function serviceOverHttp(clock: Clock, log: Log, storeFor: StoreFor = beside): ServiceFactory {
  return async ({ file, key, speech, language }) => {
    const { openService } = await import('#service/compose/open-service.ts')
    const store = await storeFor(file, key)
    const shared = { audio: null, speech, language, clock, log, consentPolicy: 'enforced', plan: 'enterprise' } as const
    const models = { folder: join(dirname(file), 'models') }
    const service = await openService({ ...shared, models, store, caller: 'api-keys' })
    // Shown once, when the store is new: kept here for the times this test opens it again.
    if (service.ownerKey !== null) writeFileSync(`${file}.owner-key`, service.ownerKey, { mode: 0o600 })
    if (!existsSync(`${file}.owner-key`)) throw new Error('the store is there already, and nobody has its key')
    const token = readFileSync(`${file}.owner-key`, 'utf8')
    const server = createAdaptorServer({ fetch: (request) => service.fetch(request) })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      fetch: (request) => fetch(sentTo(origin, token, request)),
      hear: service.hear,
      beginClose: () => service.beginClose(),
      async close() {
        await service.close()
        await new Promise((closed) => {
          server.close(closed)
          if ('closeAllConnections' in server) server.closeAllConnections()
        })
      },
    }
  }
}

function sentTo(origin: string, token: string, request: Request): Request {
  const { pathname, search } = new URL(request.url)
  const sent = new Request(origin + pathname + search, request)
  sent.headers.set('Authorization', `Bearer ${token}`)
  return sent
}
