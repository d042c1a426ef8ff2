import type { Pool } from 'pg'
import type { Database } from './tables.ts'

export interface Connections {
  readonly total: number
  readonly idle: number
  /** Calls that wait for a connection. */
  readonly waiting: number
}

const pools = new WeakMap<Database, Pool>()

/** PostgreSQL connections of this process; null on SQLite, which has one. */
export function connectionsOf(db: Database): Connections | null {
  const pool = pools.get(db)
  return pool === undefined ? null : { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

export function countConnections(db: Database, pool: Pool): void {
  pools.set(db, pool)
}
