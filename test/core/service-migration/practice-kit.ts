import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import type { Role } from '#contract/rest/route.ts'
import { openService } from '#service/compose/open-service.ts'
import { freshStore } from '#test/service/store-kit.ts'

/** A practice's service as it runs alone, over HTTP; its store follows `AFTERWORD_TEST_STORE`. */
export interface Practice {
  /** Ends in `/v1`. */
  readonly address: string
  readonly owner: ServiceClient
  readonly ownerKey: string
  as(key: string): ServiceClient
  /** Somebody who works there, with a key of their own. */
  person(name: string, roles: readonly Role[], key?: object): Promise<{ id: string; key: string; key_id: string }>
}

interface Options {
  readonly clock?: Clock
  readonly plan?: 'free' | 'enterprise'
}

export async function openPractice({ clock = systemClock, plan = 'enterprise' }: Options = {}): Promise<Practice> {
  const store = await freshStore()
  const service = await openService({
    store: store.options,
    models: { folder: join(store.folder, 'models') },
    audio: null,
    speech: () => null,
    clock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan,
  })
  const server = createAdaptorServer({ fetch: (request) => service.fetch(request) })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  onTestFinished(async () => {
    await service.close()
    await new Promise((closed) => {
      server.close(closed)
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
    await store.remove()
  })
  const as = (token: string): ServiceClient => createServiceClient({ base_url: address, token, fetch })
  const owner = as(service.ownerKey!)
  return {
    address,
    owner,
    ownerKey: service.ownerKey!,
    as,
    async person(name, roles, key = {}) {
      const { id } = (await owner.call('createStaff', { body: { name, roles: [...roles] } })).data
      const body = { name: `${name}’s laptop`, roles: [...roles], person_id: id, ...key }
      const made: ApiKeyWithSecret = (await owner.call('createApiKey', { body })).data
      return { id, key: made.secret!, key_id: made.id }
    },
  }
}
