import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { LogFields } from '#base/log.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { Role } from '#contract/rest/route.ts'
import type { Service, ServiceOptions } from '#service/compose/open-service.ts'
import { openService } from '#service/compose/open-service.ts'
import type { RecordingAudioPort } from '#service/jobs/run.ts'
import type { StoreOptions } from '#service/store/open-store.ts'
import { freshStore, storeUnderTest } from './store-kit.ts'
import type { StoreKind } from './store-kit.ts'

export interface ServiceKit {
  readonly client: ServiceClient
  /** Its place on the disk, where it has one. */
  readonly file: string
  readonly key: Uint8Array
  readonly store: StoreOptions
  /** Asks the store itself, past the service. */
  ask<Row = Record<string, unknown>>(sql: string): Promise<Row[]>
  /** With `caller: 'api-keys'`, at the first opening. */
  readonly ownerKey: string | null
  /** A call as anybody could make it; `path` from the root, e.g. `/v1/clients`. */
  fetch(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The same for a request as it is, from another machine where an address is given. */
  handle(request: Request, from?: string): Promise<Response>
  /** A staff record, made by the owner; the id of the person. With `caller: 'api-keys'`. */
  employ(roles: readonly Role[], id?: string): Promise<string>
  /** Ends this service and opens another one on the same store. */
  reopen(options?: Partial<ServiceOptions>): Promise<void>
  /** What retention erases at this moment. */
  sweep(): Promise<number>
  close(): Promise<void>
}

export const speechFixture = resolve(import.meta.dirname, '..', 'fixtures', 'speech')
/** The project's own short session, as the recorder would hand it over. */
export const sessionOgg = readFileSync(join(speechFixture, 'session.ogg'))

/** The embedded service on a store of its own. */
export async function openKit(given: Partial<ServiceOptions> = {}, kind: StoreKind = storeUnderTest): Promise<ServiceKit> {
  const own = await freshStore(kind)
  const { folder, options: store } = own
  const file = join(folder, 'service.db')
  // A record that is left out of a list is seen by no test of that list.
  const breaches: unknown[] = []
  const log = {
    ...silentLog,
    error: (event: string, fields?: LogFields) => void (event.startsWith('contract.') && breaches.push(fields)),
  }
  let service = await open(given)
  const { ownerKey } = service
  return {
    client: createServiceClient({ base_url: 'http://embedded.invalid/v1', fetch: (request) => service.fetch(request) }),
    employ: async (roles, id = anId()) => {
      const headers = { Authorization: `Bearer ${ownerKey}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ id, name: roles.join(' '), roles })
      const response = await service.fetch(new Request('http://embedded.invalid/v1/staff', { method: 'POST', headers, body }))
      if (response.status !== 201 && response.status !== 409) throw new Error(`nobody was employed: ${response.status}`)
      return id
    },
    file,
    key: store.key,
    store,
    ask: own.ask,
    ownerKey,
    fetch: (method, path, body, headers = {}) =>
      service.fetch(
        new Request(`http://embedded.invalid${path}`, {
          method,
          headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
          ...(body === undefined
            ? {}
            : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
        } as RequestInit),
      ),
    handle: (request, from) => service.fetch(request, from),
    reopen: async (options = given) => {
      await service.close()
      service = await open(options)
    },
    sweep: () => service.sweep(),
    close: async () => {
      await service.close()
      await own.remove()
      if (breaches.length > 0) throw new Error(`answers broke the contract: ${JSON.stringify(breaches)}`)
    },
  }

  function open(options: Partial<ServiceOptions>): Promise<Service> {
    return openService({
      store,
      audio: null,
      speech: () => null,
      clock: systemClock,
      log,
      consentPolicy: 'asserted',
      caller: 'embedded',
      ...options,
      models: { folder: join(folder, 'models'), ...options.models },
    })
  }
}

/** One recording, standing elsewhere, read in chunks as they come from a disk. */
export function audioOf(recordings: Readonly<Record<string, { bytes: Uint8Array; session_id: string }>>): RecordingAudioPort {
  return {
    stat: async (id) => {
      const found = recordings[id]
      return found ? { bytes: found.bytes.length, sha256: null, session_id: found.session_id } : null
    },
    read: async function* read(id, start = 0, end = Infinity) {
      const bytes = recordings[id]?.bytes.subarray(start, end) ?? new Uint8Array()
      for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096)
    },
  }
}

export async function aClient(client: ServiceClient, display_name = 'Ana Lopez'): Promise<Client> {
  return (await client.call('createClient', { body: { display_name } })).data
}

let hour = 0

/** Each an hour after the one before, so that none is booked twice. */
export async function aSession(client: ServiceClient, client_id: string, more: Partial<Session> = {}): Promise<Session> {
  hour += 1
  const starts_at = new Date(Date.UTC(2026, 0, 5) + hour * 3_600_000).toISOString()
  const body = { client_id, session_type: 'individual', starts_at, duration_minutes: 50, ...more } as const
  return (await client.call('createSession', { body })).data
}

export async function agree(client: ServiceClient, client_id: string, name = 'Ana Lopez', role: 'client' | 'partner' = 'client') {
  const scopes = ['record', 'transcribe', 'draft'] as const
  const body = {
    client_id,
    participant: { name, role },
    scopes: [...scopes],
    text_version: '1',
    method: 'spoken' as const,
    given_at: new Date().toISOString(),
  }
  return (await client.call('giveConsent', { body })).data
}

export const anId = (): string => newId()
