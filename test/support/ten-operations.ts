import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { capabilityOf, type OperationId, routes } from '#contract/rest/routes.ts'
import type { Route } from '#contract/rest/route.ts'
import { openService, type ServiceOptions } from '#service/compose/open-service.ts'

export interface LimitedService {
  /** Ends in `/v1`. */
  readonly address: string
  readonly key: string
  /** What was asked of it, e.g. `POST /sessions`, in order. */
  readonly asked: string[]
  /** Bodies of the calls that were let through, with the key they came under. */
  readonly bodies: { readonly call: string; readonly key: string | null; readonly body: unknown }[]
  /** The same records by all operations, as somebody at the practice works on them. */
  readonly inside: ServiceClient
  /** From now on it offers these beyond the ten; null: the ten alone, and no service document. */
  offer(capabilities: readonly string[] | null): void
  /** What one call is answered with in place of its answer, after or before it took effect. */
  answerOnce(call: string, answer: 'cut before' | 'cut after' | number): void
  close(): Promise<void>
}

interface Settings {
  readonly capabilities?: readonly string[] | null
  /** It knows nothing of such headers: asked twice, it does it twice. */
  readonly forgetsKeys?: boolean
  /** Where there is nothing it shows a page, as web servers do; and it says no more of a record than it has to. */
  readonly isTerse?: boolean
  readonly service?: Partial<ServiceOptions>
}

/**
 * The real service behind a door that lets the published operations through and answers 404, in plain text, to all
 * else. What a published answer need not have (headers beyond its type) does not come out.
 */
export async function startLimitedService({
  capabilities = null,
  forgetsKeys = false,
  isTerse = false,
  service: more = {},
}: Settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-ten-'))
  const service = await openService({
    store: { kind: 'sqlite', file: join(folder, 'practice.db'), key: randomBytes(32) },
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'asserted',
    caller: 'api-keys',
    plan: 'enterprise',
    ...more,
    models: { folder: join(folder, 'models') },
  })
  let offered = capabilities
  const asked: string[] = []
  const bodies: LimitedService['bodies'] = []
  const instead = new Map<string, 'cut before' | 'cut after' | number>()
  const server = createAdaptorServer({ fetch: (request, { incoming }) => answer(request, () => incoming.socket.destroy()) })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const key = service.ownerKey!
  const limited: LimitedService = {
    address,
    key,
    asked,
    bodies,
    inside: createServiceClient({ base_url: address, token: key, fetch: (request) => service.fetch(request) }),
    offer: (next) => void (offered = next),
    answerOnce: (call, given) => void instead.set(call, given),
    async close() {
      await service.close()
      await new Promise((closed) => {
        server.close(closed)
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return limited

  async function answer(request: Request, cutOff: () => void): Promise<Response> {
    const path = new URL(request.url).pathname.replace(/^\/v1/, '')
    const call = `${request.method} ${path === '' ? '/' : path}`
    asked.push(call)
    if (!isOffered(request.method, path)) return isTerse ? aPage() : nothingThere()
    const given = instead.get(call)
    instead.delete(call)
    if (given === 'cut before') cutOff()
    if (given === 'cut before') return nothingThere()
    if (typeof given === 'number') return new Response('no', { status: given, headers: { 'content-type': 'text/plain' } })
    const response = await service.fetch(await passedOn(request, call))
    if (given === 'cut after') cutOff()
    if (path === '' || path === '/') return withCapabilities(response, offered ?? [])
    return offered === null ? bare(isTerse ? await terse(response) : response) : response
  }

  function isOffered(method: string, path: string): boolean {
    if (path === '' || path === '/') return offered !== null && method === 'GET'
    const operations = (Object.keys(routes) as OperationId[]).filter((id) => isAt(routes[id], method, path))
    return operations.some((id) => {
      const needed = capabilityOf(id)
      return needed === null || (offered ?? []).includes(needed)
    })
  }

  async function passedOn(request: Request, call: string): Promise<Request> {
    const headers = new Headers(request.headers)
    if (!(offered ?? []).includes('operations')) headers.delete('prefer')
    if (forgetsKeys) headers.delete('idempotency-key')
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
    if (body !== null && (headers.get('content-type') ?? '').includes('json'))
      bodies.push({ call, key: request.headers.get('idempotency-key'), body: JSON.parse(body.toString()) })
    return new Request(request.url, { method: request.method, headers, ...(body === null ? {} : { body }) })
  }
}

function isAt(route: Route, method: string, path: string): boolean {
  const isUpload = route.path.startsWith('/uploads') && (method === 'HEAD' || method === 'PATCH')
  if (route.method !== method && !isUpload) return false
  return new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

const nothingThere = (): Response => new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } })

const aPage = (): Response =>
  new Response('<html><title>404</title></html>', { status: 404, headers: { 'content-type': 'text/html' } })

/** What no reader of the published document could know of, and the one status that everything has. */
async function terse(response: Response): Promise<Response> {
  if (!response.ok) return new Response('{}', { status: response.status, headers: { 'content-type': 'application/json' } })
  const status = response.status === 202 ? 202 : 200
  return Response.json(JSON.parse(await response.text(), withoutOurs), { status })
}

const ours = new Set([
  'version',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
  'series_id',
  'occurrence_start',
  'withheld',
])
const withoutOurs = (name: string, value: unknown): unknown =>
  ours.has(name) || (value === null && name !== '') ? undefined : value

/** Headers of its own have no place in what was published. */
async function bare(response: Response): Promise<Response> {
  const type = response.headers.get('content-type')
  const more = response.headers.get('retry-after')
  const headers = { ...(type === null ? {} : { 'content-type': type }), ...(more === null ? {} : { 'retry-after': more }) }
  return new Response(await response.arrayBuffer(), { status: response.status, headers })
}

async function withCapabilities(response: Response, capabilities: readonly string[]): Promise<Response> {
  if (!response.ok) return response
  return Response.json({ ...((await response.json()) as object), capabilities })
}
