/**
 * The service alone, as it is operated: authentication, validation, roles, quota, idempotency, audit, log. Beside it a
 * bare Hono route with the same data SQL, one audit insert and one quota update in one transaction and no checks.
 * SERVICE_BENCH_SECONDS sets how long each is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#test/support/postgres.ts'
import { keyFileIn, processorMs, run, startBare, startService } from './service-bench-kit.ts'
import type { Call, Measured, Side } from './service-bench-kit.ts'

const seconds = Number(process.env['SERVICE_BENCH_SECONDS'] ?? 5)
/** Enough to keep two processes busy, and few enough that what is measured is not the queue. */
const connections = 16
const goals = { listClients: 1 / 2, createSession: 1 / 3, generateNoteFromData: 1 / 3 } as const
const named = {
  listClients: 'GET /clients',
  createSession: 'POST /sessions',
  generateNoteFromData: 'POST /notes/generate',
} as const

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
let first = 0

async function measure(side: Side, kind: Call['kind']): Promise<Figures> {
  const load = { bases: side.bases, token: side.token, call: { kind, client_id: side.client_id }, connections }
  // Warm, so that what is measured is neither compiling nor an empty cache.
  const warm = await run({ ...load, seconds: Math.min(2, seconds), first })
  first += warm.asked + 1000
  const before = processorMs(side.pids)
  const measured = await run({ ...load, seconds, first })
  const processor = (processorMs(side.pids) - before) / (measured.perSecond * seconds)
  first += measured.asked + 1000
  if (measured.refused > 0) process.stdout.write(`        ${measured.refused} calls were refused\n`)
  return { ...measured, processor }
}

interface Figures extends Measured {
  /** Milliseconds of processor for one call, the database's own aside. */
  readonly processor: number
}

const figures = ({ perSecond, p50, p99, processor }: Figures): string =>
  `${perSecond.toFixed(0).padStart(5)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  processor ${processor.toFixed(2)} ms a call`

/** One side after the other, so that neither takes the other's processor. */
async function compare(name: string, service: () => Promise<Side>, bare: () => Promise<Side>): Promise<void> {
  const ofBare = await measureAll(bare)
  const ofService = await measureAll(service)
  for (const kind of Object.keys(goals) as Call['kind'][]) {
    const ratio = ofService[kind].perSecond / ofBare[kind].perSecond
    const isMet = ratio >= goals[kind]
    process.stdout.write(
      `${isMet ? 'met' : 'missed'}  ${name}: ${named[kind]}  ${ratio.toFixed(2)} of bare, ${goals[kind].toFixed(2)} at least\n` +
        `        service ${figures(ofService[kind])}\n        bare    ${figures(ofBare[kind])}\n`,
    )
  }
}

async function measureAll(start: () => Promise<Side>): Promise<Record<Call['kind'], Figures>> {
  const side = await start()
  try {
    return {
      listClients: await measure(side, 'listClients'),
      createSession: await measure(side, 'createSession'),
      generateNoteFromData: await measure(side, 'generateNoteFromData'),
    }
  } finally {
    await side.stop()
  }
}

try {
  await compare(
    'SQLite, one process',
    () => startService([join(folder, 'data')], {}),
    () => startBare(join(folder, 'bare.db'), 1),
  )
  const postgres = await startPostgres({ durable: true })
  const keyFile = keyFileIn(folder)
  try {
    for (const [name, count] of [
      ['PostgreSQL, one process', 1],
      ['PostgreSQL, two processes', 2],
    ] as const) {
      const [ours, theirs] = [await postgres.database(), await postgres.database()]
      const folders = Array.from({ length: count }, (_, index) => join(folder, `${count}-${index}`))
      const environment = { DATABASE_URL: ours, AFTERWORD_SERVICE_KEY_FILE: keyFile }
      await compare(
        name,
        () => startService(folders, environment),
        () => startBare(theirs, count),
      )
    }
  } finally {
    await postgres.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
