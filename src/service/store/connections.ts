import type { Pool } from 'pg'
import type { Database } from './tables.ts'

export interface Connections {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

const pools = new WeakMap<Database, Pool>()

/** PostgreSQL connection pool of this process; null on SQLite. */
export function connectionsOf(db: Database): Connections | null {
  const pool = pools.get(db)
  return pool === undefined ? null : { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

export function countConnections(db: Database, pool: Pool): void {
  pools.set(db, pool)
}
