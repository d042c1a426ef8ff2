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
  return rows.map(({ kind, status, count, oldest }) => ({
    kind,
    status: status as WorkCount['status'],
    count: Number(count),
    oldest,
  }))
}
