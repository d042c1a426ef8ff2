import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { openAuditKeys, setAuditKeys } from '../audit-keys.ts'
import { migrations } from '../migrations.ts'
import { countConnections } from '../connections.ts'
import type { Database, Tables } from '../tables.ts'
import { postgresDialect } from './dialect.ts'
import { limits, MAX_CONNECTIONS } from './limits.ts'
import { migratePostgres } from './migrate.ts'
import { openStoreKeys } from './practice-keys.ts'

/** Whole numbers come as text from the driver, for they may be larger than ours; none of these is. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** @throws AppError `service-unreachable`, `database-newer`, `not-encrypted` */
export async function openPostgresStore(url: string, key: Uint8Array, lockMs: number): Promise<Database> {
  const pool = openPool(url, lockMs)
  const auditKeys = openAuditKeys(key)
  try {
    await migratePostgres(pool, migrations, auditKeys)
  } catch (error) {
    await pool.end()
    throw error
  }
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, openStoreKeys(key)) })
  setAuditKeys(db, auditKeys)
  // Only what was used is put away when it is destroyed.
  await sql`select 1`.execute(db)
  countConnections(db, pool)
  return db
}

function openPool(url: string, lockMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    types,
    application_name: 'afterword',
    connectionTimeoutMillis: limits.connect,
    lock_timeout: lockMs,
    statement_timeout: limits.statement,
    query_timeout: limits.answer,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    keepAlive: true,
    // Statements whose answers nobody waits for go out with the next one.
    pipeline: true,
  })
  // A connection that ends while nobody uses it is replaced at the next use, which says what is wrong if that fails.
  pool.on('error', () => {})
  // One that ends while it is used fails the query; heard by nobody, it would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
