import type { Pool } from 'pg'
import { acrossPractices } from './in-practice.ts'
import type { OperationRow } from './operations.ts'
import type { Database } from './tables.ts'

export interface WorkCount {
  readonly kind: OperationRow['kind']
  readonly status: 'queued' | 'running'
  readonly count: number
  readonly oldest: string
}

export async function workCounts(db: Database): Promise<WorkCount[]> {
  const rows = await acrossPractices(db, (read) =>
    read
      .selectFrom('operations')
      .select(({ fn }) => ['kind', 'status', fn.countAll().as('count'), fn.min('created_at').as('oldest')])
      .where('status', 'in', ['queued', 'running'])
      .groupBy(['kind', 'status'])
      .execute(),
  )
  return rows.map(({ status, count, ...row }) => ({ ...row, status: status as WorkCount['status'], count: Number(count) }))
}

export interface Connections {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

const pools = new WeakMap<Database, Pool>()

export function connectionsOf(db: Database): Connections | null {
  const pool = pools.get(db)
  return pool === undefined ? null : { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

export function countConnections(db: Database, pool: Pool): void {
  pools.set(db, pool)
}
