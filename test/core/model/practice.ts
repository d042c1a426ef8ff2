import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { openService, type Service } from '#service/compose/open-service.ts'
import { chainsOf } from '#service/operate/copy.ts'
import { openStore } from '#service/store/open-store.ts'
import { listenTo } from './sounds.ts'

export const serviceAddress = 'https://practice.example/v1'

/** The service of a practice, on a store of its own, for callers with keys. */
export interface Practice {
  serve(request: Request): Promise<Response>
  /** Fingerprints of sound that came. */
  readonly arrived: ReadonlySet<string>
  /** A key of its own for each person. */
  keyFor(person: string): Promise<string>
  restart(): Promise<void>
  /** As whoever keeps the practice's records reads them. */
  readonly owner: ServiceClient
  /** By the practice's own rule; null where nobody keeps other people's records. */
  readonly sweep: (() => Promise<number>) | null
  isChainWhole(): Promise<boolean>
  close(): Promise<void>
}

/** The service on one laptop, as far as it can be asked from outside. */
export function ownPractice(serve: Practice['serve']): Practice {
  return {
    serve,
    owner: createServiceClient({ base_url: embeddedAddress, fetch: serve }),
    keyFor: () => Promise.reject(new Error('nobody needs a key')),
    restart: async () => {},
    arrived: new Set(),
    sweep: null,
    isChainWhole: async () => true,
    close: async () => {},
  }
}

export async function openPractice(folder: string, clock: Clock): Promise<Practice> {
  const storeKey = randomBytes(32)
  const store = () => ({ kind: 'sqlite', file: join(folder, 'practice.db'), key: Uint8Array.from(storeKey) }) as const
  const open = (): Promise<Service> =>
    openService({
      store: store(),
      audio: null,
      speech: () => null,
      clock,
      log: silentLog,
      consentPolicy: 'enforced',
      caller: 'api-keys',
      plan: 'enterprise',
      models: { folder: join(folder, 'models') },
    })
  let service: Service | null = await open()
  const employed = new Set<string>()
  const token = service.ownerKey!
  const { serve, arrived } = listenTo(async (request) => {
    if (service === null) throw new TypeError('fetch failed')
    return service.fetch(request)
  })
  const owner = createServiceClient({ base_url: serviceAddress, token, fetch: serve })
  const close = async (): Promise<void> => {
    const before = service
    service = null
    await before?.close()
  }
  return {
    serve,
    arrived,
    owner,
    close,
    async keyFor(person) {
      const roles: ('owner' | 'clinician')[] = ['owner', 'clinician']
      if (!employed.has(person)) await owner.call('createStaff', { body: { id: person, name: 'Therapist', roles } })
      employed.add(person)
      const body = { name: 'Laptop', roles, person_id: person }
      return (await owner.call('createApiKey', { body })).data.secret!
    },
    async restart() {
      await close()
      service = await open()
    },
    sweep: () => service!.sweep(),
    async isChainWhole() {
      const db = await openStore(store())
      try {
        return (await chainsOf(db)).every(({ broken_at }) => broken_at === null)
      } finally {
        await db.destroy()
      }
    },
  }
}
