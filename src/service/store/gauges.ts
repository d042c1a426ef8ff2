import type { Pool } from 'pg'
import { acrossPractices } from './in-practice.ts'
import type { Database } from './tables.ts'

export type WorkCount = Awaited<ReturnType<typeof workCounts>>[number]

export async function workCounts(db: Database) {
  const rows = await acrossPractices(db, (read) =>
    read
      .selectFrom('operations')
      .select(({ fn }) => ['kind', 'status', fn.countAll().as('count'), fn.min('created_at').as('oldest')])
      .where('status', 'in', ['queued', 'running'])
      .groupBy(['kind', 'status'])
      .execute(),
  )
  return rows.map(({ status, count, ...row }) => ({ ...row, status: status as 'queued' | 'running', count: Number(count) }))
}

export type Connections = NonNullable<ReturnType<typeof connectionsOf>>

const pools = new WeakMap<Database, Pool>()

export function connectionsOf(db: Database) {
  const pool = pools.get(db)
  return pool === undefined ? null : { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

export function countConnections(db: Database, pool: Pool): void {
  pools.set(db, pool)
}
