/**
 * Weeks of work without a network, sent once there is one: 10,000 intents to a practice's service over HTTP on loopback,
 * by the app as it runs, with its vault. In turns with it a bare loop of the same HTTP calls to another one, one after the
 * other, that keeps nothing. Then what the app costs while it is online and has nothing to send.
 * DRAIN_BENCH_CLIENTS sets how many clients there are, with four intents each.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAlone } from '#test/service/alone-kit.ts'
import { coreKit, createProfile, noService, type OpenCore } from '#test/core/core-kit.ts'
import { report } from './records-bench-kit.ts'

const clients = Number(process.env['DRAIN_BENCH_CLIENTS'] ?? 2500)
const goal = 0.7
const idleSeconds = 10
const rounds = 5

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | null
  readonly status: number
}

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))

type Service = Awaited<ReturnType<typeof startAlone>>
const startService = (name: string): Promise<Service> =>
  startAlone(join(folder, name), { NODE_ENV: 'production', AFTERWORD_PLAN: 'enterprise' })

/** Four intents for each client, none of which is part of another. */
async function fillOutbox(open: OpenCore): Promise<void> {
  for (let number = 0; number < clients; number += 1) {
    const display_name = `Client ${number}`
    const client = await open.call('clients.create', { display_name, phone: '+49 30 1234567' })
    await open.call('consents.give', {
      client_id: client.id,
      participant: { name: display_name, role: 'client' },
      scopes: ['record', 'transcribe', 'draft'],
      text_version: '1',
      method: 'spoken',
    })
    const starts_at = new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString()
    const session = await open.call('sessions.create', {
      client_id: client.id,
      session_type: 'individual',
      starts_at,
      duration_minutes: 50,
    })
    await open.call('sessions.update', { id: session.id, version: 1, patch: { started_at: starts_at } })
  }
}

/** Of the core in this process; a service is one of its own. */
async function processorShare(seconds: number): Promise<number> {
  const before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (seconds * 1e6)
}

/** What it sent comes back as news of the practice and is looked through once; a little later memory is tidied, also once. */
async function atRest(): Promise<void> {
  for (let quiet = 0, tries = 0; quiet < 6 && tries < 30; tries += 1) quiet = (await processorShare(2)) < 0.005 ? quiet + 1 : 0
}

interface Spent {
  count: number
  seconds: number
  /** Milliseconds of this process's processor. */
  processor: number
}
const nothingSpent = (): Spent => ({ count: 0, seconds: 0, processor: 0 })

async function measured(spent: Spent, work: () => Promise<number>): Promise<void> {
  const [from, before] = [performance.now(), process.cpuUsage()]
  spent.count += await work()
  const { user, system } = process.cpuUsage(before)
  spent.seconds += (performance.now() - from) / 1000
  spent.processor += (user + system) / 1000
}

const figures = ({ count, seconds, processor }: Spent): string =>
  `${count} in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)}/s, ${(processor / count).toFixed(2)} ms of processor each`

/** In turns, so that what else the machine does slows both alike. */
async function compare(): Promise<void> {
  const [ours, bare] = [await startService('ours'), await startService('bare')]
  const line = { isOnline: false, calls: [] as Call[] }
  const overWire = (async (request: Request) => {
    if (!line.isOnline) throw new TypeError('no network')
    if (request.method === 'GET') return fetch(request)
    const { method, url, headers, signal } = request
    const body = await request.text()
    const response = await fetch(url, { method, headers, body, signal })
    const path = new URL(url).pathname.replace(/^\/v1/, '')
    line.calls.push({ method, path, headers: headersOf(request), body, status: response.status })
    return response
  }) as typeof globalThis.fetch
  const kit = coreKit()
  const open = await kit.open({ fetch: overWire, openService: noService })
  try {
    await createProfile(open)
    await open.call('settings.update', { service_address: ours.address })
    await open.call('settings.setKey', { which: 'service', key: ours.ownerKey! })
    await fillOutbox(open)
    await open.call('outbox.pause', { paused: true })
    line.isOnline = true
    const [app, loop] = [nothingSpent(), nothingSpent()]
    for (let round = 1; round <= rounds; round += 1) {
      await measured(app, () => drainTo(open, Math.round(clients * 4 * (1 - round / rounds))))
      await measured(loop, () => bareLoop(bare, line.calls.splice(0)))
    }
    process.stdout.write(`        app       ${figures(app)}\n        bare loop ${figures(loop)}\n`)
    const ratio = app.count / app.seconds / (loop.count / loop.seconds)
    process.stdout.write(
      `${ratio >= goal ? 'met' : 'missed'}  ${app.count} intents drained  ${ratio.toFixed(2)} of a bare loop of the same calls, ${goal.toFixed(2)} at least\n`,
    )
    await open.call('outbox.pause', { paused: false })
    await atRest()
    report('online and nothing to send: of one processor', (await processorShare(idleSeconds)) * 100, '%', 1)
  } finally {
    await open.core.close()
    kit.remove()
    await Promise.all([ours.stop(), bare.stop()])
  }
}

/** Sends until so many are left, and says how many that were. */
async function drainTo(open: OpenCore, left: number): Promise<number> {
  const before = (await open.call('outbox.pause', { paused: false })).waiting
  for (;;) {
    const { waiting, needs_you } = await open.call('outbox.status', {})
    if (needs_you > 0) throw new Error(`${needs_you} need somebody`)
    if (waiting <= left) break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return before - (await open.call('outbox.pause', { paused: true })).waiting
}

function headersOf(request: Request): Record<string, string> {
  const names = ['accept', 'content-type', 'idempotency-key', 'if-match']
  return Object.fromEntries(names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name)!]] : [])))
}

/** Each call after the answer to the one before, which must be the app's. One repeated after a pause may be answered 412. */
async function bareLoop({ address, ownerKey }: Service, calls: readonly Call[]): Promise<number> {
  for (const { method, path, headers, body, status } of calls) {
    const response = await fetch(address + path, { method, headers: { ...headers, authorization: `Bearer ${ownerKey!}` }, body })
    await response.text()
    if (response.status !== status && !response.ok && response.status !== 412)
      throw new Error(`${method} ${path}: ${response.status}`)
  }
  return calls.length
}

try {
  await compare()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
