/**
 * What 1,000 idle event streams cost one process of the service, on both stores: its processor and memory while nothing
 * happens. STREAMS_BENCH_SECONDS sets how long; each stream shows a sign of life every 20 seconds.
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { createServiceClient } from '#client/client.ts'
import { wavOf } from '#test/service/sound.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { processorMs, startService } from './service-bench-kit.ts'
import type { Side } from './service-bench-kit.ts'

const seconds = Number(process.env['STREAMS_BENCH_SECONDS'] ?? 40)
const streams = 1000
/** So many one person may follow at once. */
const each = 6
const goalPercent = 1

/** A speech server that takes work and never answers. */
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await once(silent, 'listening')
const speech = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`

function follow(base: string, path: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
    const asked = get(`${base}/v1${path}`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`stream refused: ${response.statusCode}`))
      response.on('error', () => {})
      response.resume()
      resolve(response)
    })
    asked.on('error', reject)
  })
}

/** Streams of changes, each person's, and the owner's of work that waits for its engine. */
async function openStreams({ bases, token }: Side): Promise<IncomingMessage[]> {
  const base = bases[0]!
  const client = createServiceClient({ base_url: `${base}/v1`, fetch, token })
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  const { data } = await client.call('transcribe', { body, preferAsync: true })
  const opened: IncomingMessage[] = []
  for (let count = 0; count < each; count += 1)
    opened.push(await follow(base, `/operations/${(data as { id: string }).id}/events`, token))
  while (opened.length < streams) {
    const { id: person_id } = (await client.call('createStaff', { body: { name: 'Laptop', roles: ['clinician'] } })).data
    const made = await client.call('createApiKey', { body: { name: 'Laptop', roles: ['clinician'], person_id } })
    const secret = made.data.secret!
    const wanted = Math.min(each, streams - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: wanted }, () => follow(base, '/events', secret)))))
  }
  return opened
}

const residentMb = (pid: number): number =>
  process.platform === 'linux'
    ? Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
    : Number.NaN

async function percentOfCore(side: Side): Promise<number> {
  // Beyond the first sign of life, at which each stream is let in once more since keys were made meanwhile.
  await later(25_000)
  const before = processorMs(side.pids)
  await later(seconds * 1000)
  return (processorMs(side.pids) - before) / (seconds * 10)
}

async function measure(name: string, side: Side): Promise<void> {
  const without = await percentOfCore(side)
  const opened = await openStreams(side)
  try {
    const percent = (await percentOfCore(side)) - without
    process.stdout.write(
      `${percent < goalPercent ? 'met' : 'missed'}  ${name}: ${streams} idle event streams  ${percent.toFixed(2)} % of a core, under ${goalPercent} %  ` +
        `(${without.toFixed(2)} % without them)  resident ${residentMb(side.pids[0]!).toFixed(0)} MB\n`,
    )
  } finally {
    for (const stream of opened) stream.destroy()
    await side.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
try {
  const usual = { AFTERWORD_SPEECH_ADDRESS: speech, AFTERWORD_LOG_LEVEL: 'warn' }
  await measure('SQLite', await startService([join(folder, 'data')], usual))
  const postgres = await startPostgres({ durable: true })
  try {
    const environment = { ...usual, DATABASE_URL: await postgres.database() }
    await measure('PostgreSQL', await startService([join(folder, 'on-postgres')], environment))
  } finally {
    await postgres.stop()
  }
} finally {
  silent.closeAllConnections()
  silent.close()
  rmSync(folder, { recursive: true, force: true })
}
