/**
 * The memory of one process under load, on both stores, with the heap limit of the container image: 16 connections each
 * with reads, bookings and drafts, then the longest text. SERVICE_BENCH_SECONDS sets how long each kind of call goes on.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceClient } from '#client/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { longDialogue } from './long-dialogue.ts'
import { memoryOfImage, run, startService } from './service-bench-kit.ts'
import type { Call, Side } from './service-bench-kit.ts'

const seconds = Number(process.env['SERVICE_BENCH_SECONDS'] ?? 5)
const limitMb = 512
const connections = 16
const kinds: readonly Call['kind'][] = ['listClients', 'createSession', 'generateNoteFromData']

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
const field = (status: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

/** Resident MB of a process, and of all that it started. */
function residentMb(pid: number): { own: number; engines: number } {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const parents = new Map(pids.map((one) => [one, field(statusOf(one), 'PPid')]))
  const isStarted = (one: number): boolean => parents.get(one) === pid || (one > 1 && isStarted(parents.get(one) ?? 0))
  const sum = (some: readonly number[]): number => some.reduce((total, one) => total + field(statusOf(one), 'VmRSS'), 0) / 1024
  return { own: sum([pid]), engines: sum(pids.filter((one) => one !== pid && isStarted(one))) }
}

/** The longest text that is taken: it is read in an engine of its own. */
async function analyzeLongest({ bases, token }: Side): Promise<void> {
  const lines = longDialogue().turns.map(({ text }, index) => `${index % 2 === 0 ? 'Therapist' : 'Client'}: ${text}\n`)
  let transcript = ''
  for (let index = 0; transcript.length < 590_000; index += 1) transcript += lines[index % lines.length]
  const client = createServiceClient({ base_url: `${bases[0]!}/v1`, fetch, token })
  await client.call('analyze', { body: { transcript: transcript.slice(0, 590_000) } })
}

async function measure(name: string, side: Side): Promise<void> {
  const most = { own: 0, engines: 0 }
  const look = setInterval(() => {
    const now = residentMb(side.pids[0]!)
    most.own = Math.max(most.own, now.own)
    most.engines = Math.max(most.engines, now.engines)
  }, 200)
  try {
    let first = 0
    for (const kind of kinds) {
      const call = { kind, client_id: side.client_id }
      const { asked, refused } = await run({ bases: side.bases, token: side.token, call, connections, seconds, first })
      first += asked + 1000
      if (refused > 0) process.stdout.write(`        ${refused} calls were refused\n`)
    }
    await analyzeLongest(side)
    process.stdout.write(
      `${most.own <= limitMb ? 'met' : 'missed'}  ${name}: memory of one process under load  ${most.own.toFixed(0)} MB, ${limitMb} MB at most\n` +
        `        its engine with a text of 590,000 characters  ${most.engines.toFixed(0)} MB\n`,
    )
  } finally {
    clearInterval(look)
    await side.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
try {
  if (process.platform === 'linux') {
    const usual = { ...memoryOfImage(), AFTERWORD_LOG_LEVEL: 'warn' }
    await measure('SQLite', await startService([join(folder, 'data')], usual))
    const postgres = await startPostgres({ durable: true })
    try {
      const environment = { ...usual, DATABASE_URL: await postgres.database() }
      await measure('PostgreSQL', await startService([join(folder, 'on-postgres')], environment))
    } finally {
      await postgres.stop()
    }
  } else process.stdout.write('left out: memory is read from /proc, which only Linux has\n')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
