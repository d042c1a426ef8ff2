import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { openAuditKeys, setAuditKeys } from '../audit.ts'
import { migrations } from '../migrations.ts'
import { countConnections } from '../gauges.ts'
import type { Database, Tables } from '../tables.ts'
import { postgresDialect } from './dialect.ts'
import { migratePostgres } from './migrate.ts'
import { openStoreKeys } from './practice-keys.ts'

const limits = {
  connect: 10_000,
  statement: 30_000,
  idleInTransaction: 30_000,
  answer: 35_000,
}

const MAX_CONNECTIONS = 12

/** The driver returns bigint as text; all values here are safe integers. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

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
  // Kysely destroys a driver only if it was used, which this query ensures.
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
    pipeline: true,
  })
  // The pool replaces a lost idle connection at its next use. Without a listener, `error` would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** PostgreSQL notifications (LISTEN/NOTIFY) are lost with a connection, so receivers also poll. */
interface News {
  listen(listener: (text: string) => void): void
  close(): Promise<void>
}

export const channel = 'afterword'
const AGAIN_MS = 1000

/** Listens for notifications, and tries to take the advisory lock `lock`, which shows that this process is alive. */
export async function openNews(url: string, lock: string): Promise<News> {
  let listener: (text: string) => void = () => {}
  let isClosed = false
  let client = await connect()
  return {
    listen: (given) => {
      listener = given
    },
    close: async () => {
      isClosed = true
      await client.end().catch(() => {})
    },
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'afterword news',
      connectionTimeoutMillis: limits.connect,
      keepAlive: true,
    })
    // The `end` event handles lost connections; without a listener, `error` would end the process.
    fresh.on('error', () => {})
    fresh.on('notification', ({ payload }) => listener(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
      await fresh.query('select pg_try_advisory_lock(hashtextextended($1, 0))', [lock])
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    fresh.once('end', () => void reconnect())
    return fresh
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        client = await connect()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
      }
    }
  }
}
