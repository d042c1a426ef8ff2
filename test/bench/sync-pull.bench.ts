/**
 * 10,000 clients of a practice come down to an empty laptop, from the service as it is operated, over HTTP on loopback:
 * parsed, merged, in the audit chain, the cursor moved with each page. Beside it a bare loop of the same GETs that puts the
 * rows into the same table, in one transaction for each page. Then what following the changes costs while nothing changes.
 * SYNC_PULL_CLIENTS sets how many, SYNC_PULL_IDLE_SECONDS how long nothing happens.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { createServiceClient } from '#client/client.ts'
import type { Client } from '#contract/model/client.ts'
import { createAudit } from '#core/audit/audit.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { createMerge } from '#core/sync/merge/merge.ts'
import { createOutbox } from '#core/outbox/outbox.ts'
import { createParseArrival, createTakeInsights } from '#core/sync/pull/intake.ts'
import { createPull } from '#core/sync/pull/pull.ts'
import { createRollback } from '#core/sync/pull/rollback.ts'
import { migrations } from '#core/vault/migrations.ts'
import { startAlone } from '#test/service/alone-kit.ts'

const count = Number(process.env['SYNC_PULL_CLIENTS'] ?? 10_000)
const idleSeconds = Number(process.env['SYNC_PULL_IDLE_SECONDS'] ?? 20)
const perPage = 200
/** Each record is parsed, merged, remembered as agreed, and in the audit chain; the bare loop only inserts it. */
const leastRatio = 1 / 3
const mostOverhead = 1.05
/** A page is one transaction, and nothing else comes in between. */
const mostHeldUpMs = 100
/** Of one processor. */
const mostIdle = 0.02

const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
const clientBody = (index: number) => ({
  display_name: `Maren Voss ${index}`,
  given_name: 'Maren',
  family_name: `Voss ${index}`,
  pronouns: 'she/her',
  date_of_birth: '1988-04-12',
  email: `maren.${index}@client.example`,
  phone: '+49 30 1234567',
  diagnoses: [{ code: 'F41.1', description: 'Generalized anxiety disorder' }],
})

function openVaultFile(): Sqlite {
  const db = openEncrypted(join(folder, `${randomBytes(4).toString('hex')}.db`), randomBytes(32))
  migrate(db, migrations)
  return db
}

/** Every byte of every connection, both ways. */
async function countingProxy(to: number): Promise<{ port: number; bytes: () => number; close: () => void }> {
  let bytes = 0
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const [count, end] = [(chunk: Buffer) => (bytes += chunk.length), () => (near.destroy(), far.destroy())]
    near.on('data', count).on('error', end).on('close', end).pipe(far)
    far.on('data', count).on('error', end).on('close', end).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, bytes: () => bytes, close: () => server.close() }
}

async function pulled(address: string, token: string): Promise<{ seconds: number; idle: number; longestMs: number }> {
  const db = openVaultFile()
  const repositories = createRepositories(db)
  const shared = { ...repositories, db, clock: systemClock, log: silentLog, emit: () => {} }
  const outbox = createOutbox(db, systemClock)
  const audit = createAudit(db, systemClock)
  const merge = createMerge({
    ...shared,
    outbox,
    audit,
    isRemote: () => true,
    takeBackWork: () => {},
    stopUnconsented: async () => {},
  })
  const client = createServiceClient({ base_url: address, token, fetch })
  const pull = createPull({
    ...shared,
    incoming: merge,
    insights: createTakeInsights({ ...shared, audit }),
    parse: createParseArrival(merge.parts.common),
    isPiece: () => false,
    putBack: createRollback({ ...shared, outbox, common: merge.parts.common, incoming: merge }),
    client: () => client,
    offers: async () => ({ has: () => true, is_plain: false }),
    address: () => address,
    isPaused: () => false,
    onReading: () => {},
    onCaughtUp: () => {},
  })
  const here = db.prepare('select count(*) from clients').pluck()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  pull.start()
  while (here.get() !== count) await new Promise((later) => setTimeout(later, 2))
  const seconds = (performance.now() - began) / 1000
  delay.disable()
  // Past the other lists, into following, and until what was left behind is cleared away.
  await new Promise((later) => setTimeout(later, 10_000))
  const before = process.cpuUsage()
  await new Promise((later) => setTimeout(later, idleSeconds * 1000))
  const { user, system } = process.cpuUsage(before)
  await pull.stop()
  db.close()
  return { seconds, idle: (user + system) / 1e6 / idleSeconds, longestMs: delay.max / 1e6 }
}

async function bare(address: string, token: string): Promise<{ seconds: number; payload: number }> {
  const db = openVaultFile()
  const { clients } = createRepositories(db)
  const page = db.transaction((items: readonly Client[]) => items.forEach((item) => clients.insert(item)))
  let payload = 0
  const began = performance.now()
  for (let cursor: string | null = ''; cursor !== null;) {
    const asked: Response = await fetch(`${address}/clients?limit=${perPage}${cursor === '' ? '' : `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await asked.text()
    payload += Buffer.byteLength(text)
    const { data, next_cursor }: { data: Client[]; next_cursor: string | null } = JSON.parse(text)
    page(data)
    cursor = next_cursor
  }
  const seconds = (performance.now() - began) / 1000
  db.close()
  return { seconds, payload }
}

const say = (isMet: boolean, what: string): void => void process.stdout.write(`${isMet ? 'met' : 'missed'}  ${what}\n`)

const service = await startAlone(join(folder, 'data'), { NODE_ENV: 'production', AFTERWORD_PLAN: 'enterprise' })
const token = service.ownerKey!
try {
  const client = createServiceClient({ base_url: service.address, token, fetch })
  let next = 0
  const fill = async (): Promise<void> => {
    while (next < count) await client.call('createClient', { body: clientBody(next++) })
  }
  await Promise.all(Array.from({ length: 16 }, fill))
  const proxy = await countingProxy(Number(new URL(service.address).port))
  const behind = `http://127.0.0.1:${proxy.port}/v1`
  await bare(service.address, token)
  const ofBare = await bare(behind, token)
  const before = proxy.bytes()
  const ofPull = await pulled(behind, token)
  const bytes = proxy.bytes() - before
  proxy.close()
  const ratio = ofBare.seconds / ofPull.seconds
  const overhead = bytes / ofBare.payload
  say(
    ratio >= leastRatio,
    `a pull of ${count} clients  ${ofPull.seconds.toFixed(2)} s, ${(count / ofPull.seconds).toFixed(0)}/s  ${ratio.toFixed(2)} of a bare loop (${ofBare.seconds.toFixed(2)} s), ${leastRatio.toFixed(2)} at least`,
  )
  say(
    ofPull.longestMs <= mostHeldUpMs,
    `the longest that a window’s call waits meanwhile  ${ofPull.longestMs.toFixed(0)} ms, ${mostHeldUpMs} ms at most`,
  )
  say(overhead <= mostOverhead, `bytes on the wire  ${overhead.toFixed(3)} of the payload, ${mostOverhead.toFixed(2)} at most`)
  say(
    ofPull.idle <= mostIdle,
    `processor while nothing changes  ${(ofPull.idle * 100).toFixed(2)} %, ${(mostIdle * 100).toFixed(0)} % at most`,
  )
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
