import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '#base/log.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { openService } from '#service/compose/open-service.ts'
import { coreKit, createProfile, noService, type OpenCore } from './core-kit.ts'

const service_address = 'https://practice.example/v1'
const evening = Date.UTC(2026, 10, 23, 21, 0)
const midnight = Date.UTC(2026, 10, 24)

/** Time stands still until the test moves it, for the app and for the practice's service. */
function stillTime() {
  let passed = 0
  const sleeping = new Set<() => void>()
  const wait: SyncPorts['wait'] = (ms, signal) =>
    new Promise((resolve) => {
      const until = ms === null ? Number.POSITIVE_INFINITY : passed + ms
      const look = (): void => {
        if (!signal.aborted && passed < until) return
        sleeping.delete(look)
        resolve()
      }
      sleeping.add(look)
      signal.addEventListener('abort', look)
      look()
    })
  return {
    clock: { now: () => evening + passed, elapsed: () => passed },
    wait,
    pass(ms: number): void {
      passed += ms
      for (const look of sleeping) look()
    },
  }
}

/** A practice on the free plan, and an app that has its key. */
async function freePractice() {
  const time = stillTime()
  const kit = coreKit({ clock: time.clock })
  const service = await openService({
    store: { kind: 'sqlite', file: join(kit.folder, 'practice.db'), key: randomBytes(32) },
    audio: null,
    speech: () => null,
    clock: time.clock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'free',
  })
  const line = { isCut: true, booked: [] as string[], refused: 0 }
  const fetch = (async (request: Request) => {
    if (line.isCut) throw new TypeError('no network')
    const body = request.method === 'POST' && request.url.endsWith('/sessions') ? await request.clone().json() : null
    const response = await service.fetch(request)
    if (body !== null && response.status === 201) line.booked.push((body as { id: string }).id)
    if (response.status === 429) line.refused += 1
    return response
  }) as typeof globalThis.fetch
  let open = await kit.open({ fetch, openService: noService, wait: time.wait })
  await createProfile(open)
  await open.call('settings.update', { service_address })
  await open.call('settings.setKey', { which: 'service', key: service.ownerKey! })
  onTestFinished(async () => {
    await open.core.close()
    await service.close()
    kit.remove()
  })
  return {
    time,
    line,
    app: () => open,
    async restart(): Promise<void> {
      await open.core.close()
      open = await kit.open({ fetch, openService: noService, wait: time.wait })
    },
  }
}

async function book(open: OpenCore, count: number): Promise<string[]> {
  const client = await open.call('clients.create', { display_name: 'Marisol Vega' })
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const starts_at = new Date(evening + (number + 24) * 3_600_000).toISOString()
    const session = { client_id: client.id, session_type: 'individual', starts_at, duration_minutes: 50 } as const
    ids.push((await open.call('sessions.create', session)).id)
  }
  return ids
}

test('past the day’s quota it waits until midnight, says so, and begins with what was chosen to go first', async () => {
  const { time, line, app } = await freePractice()
  const ids = await book(app(), 103)
  const status = () => app().call('outbox.status', {})
  await app().until(async () => (await status()).phase === 'offline')
  expect((await status()).waiting).toBe(104)
  line.isCut = false
  await app().call('outbox.retry', {})
  await app().until(async () => (await status()).phase === 'quota')
  const resumes = (await status()).resumes_at!
  expect(Date.parse(resumes) - midnight).toBeGreaterThanOrEqual(0)
  expect(Date.parse(resumes) - midnight).toBeLessThan(60_000)
  expect((await status()).quota).toEqual({ limit: 100, remaining: 0, resets_at: new Date(midnight).toISOString() })
  const left = ids.filter((id) => !line.booked.includes(id))
  expect(left.length).toBeGreaterThanOrEqual(3)
  expect(line.refused).toBeLessThanOrEqual(2)

  const waiting = await app().call('outbox.list', {})
  expect(waiting.map(({ kind, state }) => `${kind} ${state}`)).toEqual(left.map(() => 'create-session waiting'))
  await app().call('outbox.first', { id: waiting.at(-1)!.id })
  expect((await app().call('outbox.list', {}))[0]).toMatchObject({ id: waiting.at(-1)!.id, first: true })
  // What is not counted goes all the same.
  await app().call('clients.create', { display_name: 'Ines Caldeira' })
  await app().until(async () => (await status()).waiting === left.length && (await status()).phase === 'quota')

  const before = line.booked.length
  time.pass(3 * 3_600_000 + 60_000)
  await app().settled()
  expect(line.booked.slice(before)[0]).toBe(left.at(-1))
  expect(new Set(line.booked)).toEqual(new Set(ids))
  expect(line.booked).toHaveLength(ids.length)
})

test('what the person stopped stays stopped over a restart, and work goes on', async () => {
  const { line, app, restart } = await freePractice()
  line.isCut = false
  expect(await app().call('outbox.pause', { paused: true })).toMatchObject({ phase: 'paused' })
  await book(app(), 1)
  await restart()
  expect(await app().call('outbox.status', {})).toMatchObject({ phase: 'paused', waiting: 2, resumes_at: null })
  expect(await app().call('clients.list', {})).toHaveLength(1)
  expect(line.booked).toEqual([])
  await app().call('outbox.pause', { paused: false })
  await app().settled()
  expect(line.booked).toHaveLength(1)
})

test('what is done already can neither be tried again nor be chosen', async () => {
  const { app } = await freePractice()
  const id = '0190a0a0-0000-7000-8000-000000000001'
  await expect(app().call('outbox.retryOne', { id })).rejects.toMatchObject({ code: 'not-found' })
  await expect(app().call('outbox.first', { id })).rejects.toMatchObject({ code: 'not-found' })
})
