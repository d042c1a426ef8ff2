import type { OperationTable } from './tables.ts'
import type { Database, Write } from './tables.ts'

type Operation = Pick<OperationTable, 'id' | 'kind'>

/** Optional queue in addition to the operations table. Each method runs in the transaction that changes the operation. */
export interface WorkQueue {
  added(write: Write, operation: Operation & Pick<OperationTable, 'practice_id'>): Promise<void>
  ended(write: Write, operation: Operation): Promise<void>
  handedBack(write: Write, operation: Operation): Promise<void>
}

/** Keyed by the adapter, which a store and all its transactions share. */
const queues = new WeakMap<object, WorkQueue>()

/** Undefined on SQLite, where the operations table is the queue. */
export const queueOf = (db: Database): WorkQueue | undefined => queues.get(db.getExecutor().adapter)

export function setQueue(db: Database, queue: WorkQueue): void {
  queues.set(db.getExecutor().adapter, queue)
}
