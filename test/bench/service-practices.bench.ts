/**
 * One service with 10,000 practices, half of them idle for months: how long a start takes until it is ready, a scrape of
 * /metrics, and what the process does on its own in the first ten seconds. PRACTICES_BENCH_COUNT sets how many there are.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { openEncrypted } from '#base/sqlite.ts'
import { startAlone } from '#test/service/alone-kit.ts'
import type { Alone } from '#test/service/alone-kit.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { percentile, report } from './records-bench-kit.ts'
import { processorMs } from './service-bench-kit.ts'

const count = Number(process.env['PRACTICES_BENCH_COUNT'] ?? 10_000)
const scrapes = 20
const ownMs = 10_000
const folder = mkdtempSync(join(tmpdir(), 'afterword-practices-'))
const day = 24 * 3_600_000
const lately = new Date(Date.now() - day).toISOString()
const longAgo = new Date(Date.now() - 90 * day).toISOString()
const ahead = new Date(Date.now() + 7 * day).toISOString()

interface Words {
  /** So many rows with a column `n`. */
  readonly numbers: (count: number) => string
  /** An id from a letter for its kind and up to two numbers. */
  readonly id: (kind: string, ...of: string[]) => string
}

const sqlite: Words = {
  numbers: (many) => `(with recursive up (n) as (select 1 union all select n + 1 from up where n < ${many}) select n from up)`,
  id: (kind, first, second = '0') => `printf('${kind}0000000-0000-7000-%04x-%012x', ${second}, ${first})`,
}
const postgres: Words = {
  numbers: (many) => `(select n from generate_series(1, ${many}) as n) as numbers`,
  id: (kind, first, second = '0') =>
    `'${kind}0000000-0000-7000-' || lpad(to_hex(${second}), 4, '0') || '-' || lpad(to_hex(${first}), 12, '0')`,
}

/** Each practice has a key and retention rules; every other one has clients and a weekly series, the rest one old client. */
function filling({ numbers, id }: Words): string[] {
  const all = numbers(count)
  const practice = id('a', 'n')
  const client = id('c', 'n', 'm')
  const session = id('d', 'n', 'm')
  const [busy, idle] = ['n % 2 = 0', 'n % 2 = 1']
  const five = `${all} cross join (select 1 as m union all select 2 union all select 3 union all select 4 union all select 5) as five`
  const columns = 'id, practice_id, body, created_at, updated_at, version'
  return [
    `insert into practices (id, name, plan, created_at) select ${practice}, 'Practice', 'professional', '${longAgo}' from ${all}`,
    `insert into api_keys (id, practice_id, person_id, name, roles, digest, created_at)
     select ${id('b', 'n')}, ${practice}, ${id('e', 'n')}, 'Owner', '["owner"]', '', '${longAgo}' from ${all}`,
    `insert into retention_policies (practice_id, transcript_days, note_years, version, updated_at, sweep_at)
     select ${practice}, 30, 7, 2, '${longAgo}', '${ahead}' from ${all}`,
    `insert into clients (${columns}, search_name, status)
     select ${client}, ${practice}, '{}', '${lately}', '${lately}', 1, '', 'active' from ${five} where ${busy}`,
    `insert into clients (${columns}, search_name, status)
     select ${id('c', 'n')}, ${practice}, '{}', '${longAgo}', '${longAgo}', 1, '', 'active' from ${all} where ${idle}`,
    `insert into sessions (${columns}, client_id, clinician_id, status, starts_at, ends_at)
     select ${session}, ${practice}, '{}', '${lately}', '${lately}', 1, ${client}, ${id('e', 'n', 'm')}, 'scheduled', '${ahead}', '${ahead}'
     from ${five} where ${busy}`,
    `insert into series_sessions (session_id, practice_id, series_id, wall, time_zone, tz_version, starts_at)
     select ${session}, ${practice}, ${id('f', 'n')}, '2026-11-24T15:00', 'UTC', '${process.versions.tz}', '${ahead}' from ${five} where ${busy}`,
  ]
}

async function measure(
  name: string,
  data: string,
  environment: Record<string, string>,
  fill: () => Promise<void>,
): Promise<void> {
  const start = async (): Promise<[Alone, number]> => {
    const before = performance.now()
    const service = await startAlone(data, { ...environment, NODE_ENV: 'production' })
    const root = service.address.replace(/\/v1$/, '')
    while ((await fetch(`${root}/readyz`)).status !== 200) await later(5)
    return [service, performance.now() - before]
  }
  /** Of five starts, in milliseconds; processor time does not depend on who else is busy. */
  const median = async (): Promise<{ wall: number; processor: number }> => {
    const taken: { wall: number; processor: number }[] = []
    for (let index = 0; index < 5; index += 1) {
      const [service, wall] = await start()
      taken.push({ wall, processor: processorMs([service.pid]) })
      await service.stop()
    }
    const middle = (of: 'wall' | 'processor'): number =>
      percentile(
        taken.map((one) => one[of]),
        0.5,
      )
    return { wall: middle('wall'), processor: Math.round(middle('processor')) }
  }
  const ofOne = await median()
  await fill()
  const ofMany = await median()
  const [service] = await start()
  const root = service.address.replace(/\/v1$/, '')
  const before = processorMs([service.pid])
  await later(ownMs)
  const own = Math.round(processorMs([service.pid]) - before)
  const taken: number[] = []
  for (let index = 0; index < scrapes; index += 1) {
    const began = performance.now()
    await (await fetch(`${root}/metrics`)).text()
    taken.push(performance.now() - began)
  }
  await service.stop()
  report(`${name}: start until ready (median of 5), ${count.toLocaleString('en-US')} practices`, ofMany.wall / 1000, 's', 3)
  report(`${name}: scrape of /metrics (median of ${scrapes})`, percentile(taken, 0.5) / 1000, 's', 0.3)
  const start1 = `${(ofOne.wall / 1000).toFixed(2)} s and ${ofOne.processor} ms of processor with one practice`
  process.stdout.write(`        start: ${ofMany.processor} ms of processor; ${start1}\n`)
  process.stdout.write(`        the first ${ownMs / 1000} s after a start: ${own} ms of processor\n`)
}

try {
  const data = join(folder, 'data')
  await measure('SQLite', data, {}, async () => {
    const database = openEncrypted(join(data, 'service.db'), Buffer.from(readFileSync(`${data}.key`, 'utf8').trim(), 'hex'))
    for (const statement of filling(sqlite)) database.exec(statement)
    database.close()
  })
  const server = await startPostgres({ durable: true })
  try {
    const url = await server.database()
    const environment = { DATABASE_URL: url, AFTERWORD_SERVICE_KEY_FILE: `${data}.key` }
    await measure('PostgreSQL', join(folder, 'on-postgres'), environment, async () => {
      const client = await server.look(url)
      for (const statement of filling(postgres)) await client.query(statement)
      await client.query('analyze')
      await client.end()
    })
  } finally {
    await server.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
