import type { Pool, PoolClient } from 'pg'
import { type Named, sortUnrecorded } from '#base/migrate.ts'
import { partsByStep } from '#base/schema.ts'
import { AppError } from '#contract/errors.ts'
import { type AuditKeys, headAtMigration } from '../audit.ts'
import { migrationsOnSqlite } from '../migrations.ts'
import { postgresFlavour, type StoreMigration } from '../migrations/migration.ts'
import { convertPostgres } from './failures.ts'

export async function migratePostgres(pool: Pool, migrations: Steps, keys: AuditKeys): Promise<void> {
  try {
    const client = await pool.connect()
    try {
      await refuseBypassRls(client)
      await client.query('set lock_timeout = 0')
      await client.query("select pg_advisory_lock(hashtextextended('afterword schema', 0))")
      await migrateLocked(client, migrations, keys)
    } finally {
      await client.query('select pg_advisory_unlock_all()').catch(() => {})
      await client.query('reset lock_timeout').catch(() => {})
      client.release()
    }
  } catch (error) {
    throw convertPostgres(error)
  }
}

type Steps = readonly Named<StoreMigration>[]

async function migrateLocked(client: PoolClient, migrations: Steps, keys: AuditKeys): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0
  await client.query(
    'create table if not exists schema_state (id integer primary key check (id = 1), version integer not null, min_safe_version integer not null)',
  )
  await client.query('create table if not exists schema_steps (name text primary key)')
  await client.query('insert into schema_state (id, version, min_safe_version) values (1, 0, 0) on conflict do nothing')
  const { rows } = await client.query<{ version: number; min_safe_version: number }>(
    'select version, min_safe_version from schema_state',
  )
  const { version, min_safe_version } = rows[0] ?? { version: 0, min_safe_version: 0 }
  if (version > newest && min_safe_version > newest) throw new AppError('database-newer')
  const recorded = await client.query<{ name: string }>('select name from schema_steps')
  const { past, next } = sortUnrecorded(migrations, new Set(recorded.rows.map(({ name }) => name)), version)
  if (past.length > 0) {
    const known = migrations.filter((step) => step.version <= version)
    const missing = await missingSteps(client, known, keys)
    await inTransaction(client, async () => {
      for (const step of past) {
        if (missing.has(step.name)) await run(client, step, keys)
        else await record(client, step.name)
      }
    })
  }
  for (const step of next) await inTransaction(client, () => run(client, step, keys))
}

/** Known migrations whose columns are missing. Both databases have the same columns, so the SQLite migrations list them. */
async function missingSteps(client: PoolClient, known: Steps, keys: AuditKeys): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns where table_schema = current_schema()`,
  )
  const found = new Set(rows.map(({ column }) => column))
  const missing = new Set<string>()
  for (const [name, parts] of partsByStep(migrationsOnSqlite(known, keys))) {
    const columns = parts.filter((part) => part.includes('.'))
    const there = columns.filter((column) => found.has(column))
    if (there.length === columns.length) continue
    if (there.length > 0) throw new AppError('database-mismatch')
    missing.add(name)
  }
  return missing
}

async function inTransaction(client: PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function run(client: PoolClient, step: Named<StoreMigration>, keys: AuditKeys): Promise<void> {
  await client.query(step.sql(postgresFlavour))
  if (step.sealsAuditHeads) await sealAuditHeads(client, keys)
  await record(client, step.name)
  await client.query(
    'update schema_state set version = greatest(version, $1), min_safe_version = greatest(min_safe_version, $2)',
    [step.version, step.minSafeVersion ?? step.version],
  )
}

async function record(client: PoolClient, name: string): Promise<void> {
  await client.query('insert into schema_steps (name) values ($1) on conflict do nothing', [name])
}

async function sealAuditHeads(client: PoolClient, keys: AuditKeys): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from practices order by id')
  for (const { id } of rows) {
    await client.query("select set_config('afterword.practice', $1, true)", [id])
    const last = await client.query<{ seq: string; hash: string }>(
      'select seq, hash from audit_events where practice_id = $1 order by seq desc limit 1',
      [id],
    )
    const head = headAtMigration(last.rows.map(({ seq, hash }) => ({ seq: Number(seq), hash }))[0])
    await client.query('insert into audit_heads (practice_id, sealed) values ($1, $2)', [id, keys.sealHead(id, head)])
  }
}

async function refuseBypassRls(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ passes: boolean }>(
    'select rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  )
  if (rows[0]?.passes !== false)
    throw new AppError('not-encrypted', 'The database role must be neither a superuser nor pass over row-level security.')
}
