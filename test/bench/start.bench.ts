/** From opening the core to the first list of sessions, and what the encryption costs. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { newId } from '#base/ids.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import { coreKit, createProfile } from '#test/core/core-kit.ts'
import { fill, percentile, report, segmentsOf, seeded } from './records-bench-kit.ts'

async function start(sessions: number, goalMs: number): Promise<void> {
  const kit = coreKit()
  const first = await kit.open()
  await createProfile(first)
  await first.core.close()
  const vault = await openVault({ ...kit.ports, migrations })
  fill(vault.db, { sessions, segments: 0 })
  vault.close()
  const today = { from: '2020-01-02T00:00:00Z', to: '2020-01-03T00:00:00Z' }
  const times: { day: number; all: number }[] = []
  for (let run = 0; run < 7; run += 1) {
    const begin = performance.now()
    const open = await kit.open()
    await open.call('sessions.list', today)
    const day = performance.now() - begin
    const rows = await open.call('sessions.list', {})
    if (rows.length !== sessions) throw new Error('sessions are missing')
    times.push({ day, all: performance.now() - begin })
    await open.core.close()
  }
  const name = sessions.toLocaleString('en')
  report(
    `core opened and the day’s sessions listed, ${name} kept`,
    percentile(
      times.map(({ day }) => day),
      0.5,
    ),
    'ms',
    goalMs,
  )
  report(
    `core opened and all ${name} sessions listed`,
    percentile(
      times.map(({ all }) => all),
      0.5,
    ),
    'ms',
    goalMs * 4,
  )
  kit.remove()
}

/** Milliseconds of each kind of work on one database. */
function measure(db: Sqlite): { insert: number; read: number; commit: number } {
  migrate(db, migrations)
  let begin = performance.now()
  fill(db, { sessions: 40, segments: 500 })
  const insert = performance.now() - begin
  const { transcripts, sessions, work } = createRepositories(db)
  const ids = db.prepare('select id from sessions').pluck().all() as string[]
  const timed = (run: (id: string) => void): number =>
    percentile(
      ids.map((id) => {
        begin = performance.now()
        run(id)
        return performance.now() - begin
      }),
      0.5,
    )
  const read = timed((id) => void transcripts.ofSession(id))
  const commit = timed((id) =>
    work.set(id, 'draft', { state: 'idle', progress: 0, error: sessions.find(id) === null ? newId() : null }),
  )
  db.close()
  return { insert, read, commit }
}

function plain(path: string): Sqlite {
  const db = new Database(path)
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON', 'temp_store=MEMORY', 'secure_delete=ON'])
    db.pragma(pragma)
  return db
}

await start(10, 250)
await start(10_000, 250)

segmentsOf(500, seeded(3)) // so that neither database pays for warming up
const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
measure(plain(join(folder, 'warm-up.db')))
const open = measure(plain(join(folder, 'plain.db')))
const sealed = measure(openEncrypted(join(folder, 'sealed.db'), randomBytes(32)))
report('encrypted against plain: 20,000 segments in one transaction', sealed.insert / open.insert, 'times', 2)
report('encrypted against plain: a transcript of 500 segments read', sealed.read / open.read, 'times', 1.5)
report('encrypted against plain: one small change made durable', sealed.commit / open.commit, 'times', 2)
rmSync(folder, { recursive: true, force: true })
