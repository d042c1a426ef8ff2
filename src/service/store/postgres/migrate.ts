import type { Pool, PoolClient } from 'pg'
import { AppError } from '#contract/errors.ts'
import type { AuditKeys } from '../audit-keys.ts'
import { headAtMigration } from '../audit-keys.ts'
import type { StoreMigration } from '../migrations/migration.ts'
import { postgresFlavour } from '../migrations/migration.ts'
import { convertPostgres } from './failures.ts'

/**
 * Brings the database to the newest version, each step in a transaction of its own; of processes that start together
 * one does it and the others wait.
 *
 * @throws AppError `database-newer`, `not-encrypted` where row-level security would not hold for this role
 */
export async function migratePostgres(pool: Pool, migrations: readonly StoreMigration[], keys: AuditKeys): Promise<void> {
  try {
    const client = await pool.connect()
    try {
      await refusePassingOver(client)
      // Another process may be at it for longer than a change may wait.
      await client.query('set lock_timeout = 0')
      await client.query("select pg_advisory_lock(hashtextextended('afterword schema', 0))")
      await bringUp(client, migrations, keys)
    } finally {
      await client.query('select pg_advisory_unlock_all()').catch(() => {})
      await client.query('reset lock_timeout').catch(() => {})
      client.release()
    }
  } catch (error) {
    throw convertPostgres(error)
  }
}

async function bringUp(client: PoolClient, migrations: readonly StoreMigration[], keys: AuditKeys): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0
  await client.query(
    'create table if not exists schema_state (id integer primary key check (id = 1), version integer not null, min_safe_version integer not null)',
  )
  await client.query('insert into schema_state (id, version, min_safe_version) values (1, 0, 0) on conflict do nothing')
  const { rows } = await client.query<{ version: number; min_safe_version: number }>(
    'select version, min_safe_version from schema_state',
  )
  const { version, min_safe_version } = rows[0] ?? { version: 0, min_safe_version: 0 }
  if (version > newest && min_safe_version > newest) throw new AppError('database-newer')
  for (const step of migrations.filter((one) => one.version > version)) {
    await client.query('begin')
    try {
      await client.query(step.sql(postgresFlavour))
      if (step.sealsAuditHeads) await sealAuditHeads(client, keys)
      await client.query('update schema_state set version = $1, min_safe_version = greatest(min_safe_version, $2)', [
        step.version,
        step.minSafeVersion ?? step.version,
      ])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
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

/** Superusers, and roles with that attribute, are shown every practice's rows whatever the policies say. */
async function refusePassingOver(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ passes: boolean }>(
    'select rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  )
  if (rows[0]?.passes !== false)
    throw new AppError('not-encrypted', 'The database role must be neither a superuser nor pass over row-level security.')
}
