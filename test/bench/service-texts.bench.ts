/**
 * How long another practice waits while one has 100 drafts queued; then texts of 600,000 characters that are cheap to send
 * and dear to work on: how long they hold the service's event loop, how fast /healthz is answered meanwhile, and what memory
 * is left behind. SERVICE_TEXTS_DRAFTS sets how many those are.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import { usualTextLimits } from '#engines/texts/text-engines.ts'
import { runService, startAlone } from '#test/service/alone-kit.ts'
import type { Alone } from '#test/service/alone-kit.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { percentile } from './records-bench-kit.ts'
import { keyFileIn, memoryOfImage } from './service-bench-kit.ts'

const goals = { lagMs: 50, healthMs: 250, rssMb: 64, waits: 1.5 }
const length = 600_000
const patterns = ['one sentence', 'no white space', 'line breaks', 'many speakers', 'risk words', 'combining marks']
const queued = Number(process.env['SERVICE_TEXTS_DRAFTS'] ?? 100)
const megabyte = 1024 * 1024

interface Practice {
  readonly client: ServiceClient
  readonly client_id: string
  readonly session_id: string
}

interface Probe {
  /** Milliseconds by the clock that the loop stood still, whoever had the processor. */
  readonly worst: number
  /** Milliseconds of processor the service itself took in one go. */
  readonly busiest: number
  readonly rss: number
}

const say = (isMet: boolean, text: string): void => void process.stdout.write(`${isMet ? 'met' : 'missed'}  ${text}\n`)

async function practiceOf(service: Alone, token: string): Promise<Practice> {
  const client = createServiceClient({ base_url: service.address, fetch, token })
  const { data: person } = await client.call('createClient', { body: { display_name: 'Maren Voss' } })
  const about = { client_id: person.id, session_type: 'individual', duration_minutes: 50 } as const
  const { data: session } = await client.call('createSession', { body: { ...about, starts_at: '2026-03-02T09:00:00Z' } })
  return { client, client_id: person.id, session_id: session.id }
}

const draft = ({ client, client_id, session_id }: Practice, transcript: string, preferAsync = false) =>
  client.call('generateNote', { body: { client_id, session_id, template: 'soap', transcript }, preferAsync })

/** As much of it as a body of 1 MiB takes: some of these letters are two bytes. */
function fitting(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text))
  return text.slice(0, Math.floor(text.length * Math.min(1, 1_047_000 / bytes)))
}

/** What the service's own clock saw since it was last asked. */
async function probed(service: Alone, file: string): Promise<Probe> {
  const before = linesOf(file).length
  process.kill(service.pid, 'SIGUSR2')
  while (linesOf(file).length === before) await later(10)
  return JSON.parse(linesOf(file).at(-1)!) as Probe
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Asks /healthz again and again; the longest wait in milliseconds. */
function watchHealth(service: Alone): () => Promise<number> {
  const address = service.address.replace(/\/v1$/, '/healthz')
  let worst = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const start = performance.now()
      await (await fetch(address)).arrayBuffer()
      worst = Math.max(worst, performance.now() - start)
      await later(20)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return worst
  }
}

async function heavy(name: string, service: Alone, practice: Practice, file: string): Promise<void> {
  const { client, session_id } = practice
  await probed(service, file)
  const healthOf = watchHealth(service)
  const before = await probed(service, file)
  for (const pattern of patterns) {
    const transcript = fitting(heavyTexts[pattern]!(length))
    const start = performance.now()
    await Promise.all([draft(practice, transcript), client.call('analyze', { body: { transcript, session_id } })])
    const ms = performance.now() - start
    const { worst, busiest } = await probed(service, file)
    say(
      worst <= goals.lagMs,
      `${name}: ${pattern}  event loop held ${worst.toFixed(0)} ms at most (${goals.lagMs}), ${busiest.toFixed(0)} ms of processor, both done in ${ms.toFixed(0)} ms`,
    )
  }
  const health = await healthOf()
  say(health <= goals.healthMs, `${name}: /healthz answered within ${health.toFixed(0)} ms throughout, ${goals.healthMs} at most`)
  await later(usualTextLimits.idleMs + 2000)
  const after = await probed(service, file)
  const grown = (after.rss - before.rss) / megabyte
  const sizes = `${(before.rss / megabyte).toFixed(0)} MB before, ${(after.rss / megabyte).toFixed(0)} MB after`
  say(grown <= goals.rssMb, `${name}: resident memory ${sizes}, ${goals.rssMb} MB more at most`)
}

/** A 50-minute session. */
const usual = heavyTexts['names']!(45_000)

async function waits(practice: Practice): Promise<{ draft: number; list: number }> {
  const drafts: number[] = []
  const lists: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now()
    await draft(practice, usual)
    const middle = performance.now()
    await practice.client.call('listClients', {})
    drafts.push(middle - start)
    lists.push(performance.now() - middle)
  }
  return { draft: percentile(drafts, 0.5), list: percentile(lists, 0.5) }
}

async function fair(name: string, one: Practice, other: Practice): Promise<void> {
  await waits(other)
  const alone = await waits(other)
  const operations: string[] = []
  for (let index = 0; index < queued; index += 1) operations.push((await draft(one, usual, true)).data.id)
  const beside = await waits(other)
  for (const kind of ['draft', 'list'] as const) {
    const ratio = beside[kind] / alone[kind]
    const figures = `${alone[kind].toFixed(0)} ms alone, ${beside[kind].toFixed(0)} ms beside ${queued} drafts of another practice`
    say(
      ratio <= goals.waits,
      `${name}: a ${kind === 'draft' ? 'draft' : 'list of clients'} takes ${figures}: ${ratio.toFixed(2)} times, ${goals.waits} at most`,
    )
  }
  for (const id of operations) await over(one.client, id)
}

async function over(client: ServiceClient, id: string): Promise<void> {
  for (;;) {
    const { status } = (await client.call('getOperation', { params: { id } })).data
    if (status !== 'queued' && status !== 'running') return
    await later(100)
  }
}

async function measure(name: string, folder: string, environment: Record<string, string>): Promise<void> {
  const data = join(folder, 'data')
  const file = join(folder, 'probe')
  const probe = new URL('./loop-probe.ts', import.meta.url).href
  const memory = memoryOfImage()
  const usualEnvironment = { NODE_ENV: 'production', AFTERWORD_PLAN: 'enterprise', ...memory, ...environment }
  const first = await startAlone(data, usualEnvironment)
  await first.stop()
  const added = await runService(['practices', 'add', 'Other', '--plan', 'enterprise', '--data', data], usualEnvironment)
  const otherKey = /aw_live_\S+/.exec(added.stdout)?.[0]
  if (otherKey === undefined) throw new Error(`no second practice: ${added.stderr}`)
  const service = await startAlone(data, {
    ...usualEnvironment,
    NODE_OPTIONS: `${memory['NODE_OPTIONS']} --import=${probe}`,
    LOOP_PROBE_FILE: file,
  })
  try {
    const [one, other] = [await practiceOf(service, first.ownerKey!), await practiceOf(service, otherKey)]
    await fair(name, one, other)
    await heavy(name, service, one, file)
  } catch (error) {
    process.stderr.write(service.stderr.slice(-4000))
    throw error
  } finally {
    await service.stop('SIGKILL')
  }
}

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
try {
  await measure('SQLite', join(folder, 'sqlite'), {})
  const postgres = await startPostgres({ durable: true })
  try {
    const environment = { DATABASE_URL: await postgres.database(), AFTERWORD_SERVICE_KEY_FILE: keyFileIn(folder) }
    await measure('PostgreSQL', join(folder, 'postgres'), environment)
  } finally {
    await postgres.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
