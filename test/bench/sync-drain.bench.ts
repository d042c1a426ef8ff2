/**
 * Weeks of work without a network, sent once there is one: 10,000 intents to a practice's service over HTTP on loopback,
 * by the app as it runs, with its vault. Beside it a bare loop of the same HTTP calls, one after the other, that keeps
 * nothing. Then what the app costs while it is online and has nothing to send.
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

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | null
}

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))

const startService = (name: string) => startAlone(join(folder, name), { NODE_ENV: 'production', AFTERWORD_PLAN: 'enterprise' })

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

async function drain(): Promise<{ perSecond: number; calls: Call[] }> {
  const service = await startService('ours')
  const line = { isOnline: false, read: 0 }
  const calls: Call[] = []
  const overWire = (async (request: Request) => {
    if (!line.isOnline) throw new TypeError('no network')
    const path = new URL(request.url).pathname.replace(/^\/v1/, '')
    if (request.method === 'GET') line.read += 1
    else calls.push({ method: request.method, path, headers: headersOf(request), body: await request.clone().text() })
    return fetch(request)
  }) as typeof globalThis.fetch
  const kit = coreKit()
  const open = await kit.open({ fetch: overWire, openService: noService })
  try {
    await createProfile(open)
    await open.call('settings.update', { service_address: service.address })
    await open.call('settings.setKey', { which: 'service', key: service.ownerKey! })
    await fillOutbox(open)
    const { waiting } = await open.call('outbox.status', {})
    line.isOnline = true
    const from = performance.now()
    const before = process.cpuUsage()
    await open.call('outbox.retry', {})
    await drained(open)
    const seconds = (performance.now() - from) / 1000
    const { user, system } = process.cpuUsage(before)
    process.stdout.write(
      `        app       ${waiting} intents, ${calls.length} calls and ${line.read} reads in ${seconds.toFixed(1)} s, ${(waiting / seconds).toFixed(0)}/s, ` +
        `${((user + system) / 1000 / waiting).toFixed(2)} ms of processor each\n`,
    )
    await atRest()
    report('online and nothing to send: of one processor', (await processorShare(idleSeconds)) * 100, '%', 1)
    return { perSecond: waiting / seconds, calls }
  } finally {
    await open.core.close()
    kit.remove()
    await service.stop()
  }
}

async function drained(open: OpenCore): Promise<void> {
  for (;;) {
    const { waiting, needs_you } = await open.call('outbox.status', {})
    if (needs_you > 0) throw new Error(`${needs_you} need somebody`)
    if (waiting === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function headersOf(request: Request): Record<string, string> {
  const names = ['accept', 'content-type', 'idempotency-key', 'if-match']
  return Object.fromEntries(names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name)!]] : [])))
}

async function bareLoop(calls: readonly Call[]): Promise<number> {
  const service = await startService('bare')
  try {
    const from = performance.now()
    const before = process.cpuUsage()
    for (const { method, path, headers, body } of calls) {
      const authorization = `Bearer ${service.ownerKey!}`
      const response = await fetch(service.address + path, { method, headers: { ...headers, authorization }, body })
      await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    }
    const seconds = (performance.now() - from) / 1000
    const { user, system } = process.cpuUsage(before)
    process.stdout.write(
      `        bare loop ${calls.length} calls in ${seconds.toFixed(1)} s, ${(calls.length / seconds).toFixed(0)}/s, ` +
        `${((user + system) / 1000 / calls.length).toFixed(2)} ms of processor each\n`,
    )
    return calls.length / seconds
  } finally {
    await service.stop()
  }
}

try {
  const { perSecond, calls } = await drain()
  const bare = await bareLoop(calls)
  const ratio = perSecond / bare
  process.stdout.write(
    `${ratio >= goal ? 'met' : 'missed'}  ${clients * 4} intents drained  ${ratio.toFixed(2)} of a bare loop of the same calls, ${goal.toFixed(2)} at least\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
