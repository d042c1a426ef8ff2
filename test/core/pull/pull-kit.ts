import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { type Service, openService } from '#service/compose/open-service.ts'

export interface Practice {
  readonly address: string
  readonly ownerKey: string
  /** As somebody else at the practice. */
  readonly client: ServiceClient
  /** Every request that came, e.g. `GET /v1/clients?limit=200`. */
  readonly asked: string[]
  /** Answers in the service's place where it does not return null. */
  between: (request: Request) => Promise<Response | null> | Response | null
  /** Cuts every line there is. */
  cut(): void
  fetch(request: Request): Promise<Response>
  readonly service: Service
}

/** A practice's own service over HTTP, on loopback. */
export async function practiceOverHttp(options: { clock?: Clock; folder?: string; key?: Uint8Array } = {}): Promise<Practice> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'afterword-practice-'))
  const service = await openService({
    store: { kind: 'sqlite', file: join(folder, 'practice.db'), key: options.key ?? randomBytes(32) },
    audio: null,
    speech: () => null,
    clock: options.clock ?? systemClock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'enterprise',
  })
  const asked: string[] = []
  const server = createAdaptorServer({
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      asked.push(`${request.method} ${pathname}${search}`)
      return (await practice.between(request)) ?? service.fetch(request)
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const cut = (): void => void ('closeAllConnections' in server && server.closeAllConnections())
  const practice: Practice = {
    address,
    ownerKey: service.ownerKey ?? '',
    client: createServiceClient({ base_url: address, token: service.ownerKey ?? '', fetch }),
    asked,
    between: () => null,
    cut,
    fetch: (request) => service.fetch(request),
    service,
  }
  onTestFinished(async () => {
    cut()
    await service.close()
    await new Promise((closed) => server.close(closed))
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  return practice
}

/** What was written to the log, by event. */
export function heard(): Log & { readonly lines: { event: string; fields: unknown }[] } {
  const lines: { event: string; fields: unknown }[] = []
  const write = (event: string, fields?: unknown): void => void lines.push({ event, fields })
  return { lines, info: write, warn: write, error: write }
}
