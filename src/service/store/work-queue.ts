import type { OperationTable } from './tables.ts'
import type { Database, Write } from './tables.ts'

type Operation = Pick<OperationTable, 'id' | 'kind'>

/** Where work waits beside the operations that say what it is. Each change is part of the operation's own transaction. */
export interface WorkQueue {
  added(write: Write, operation: Operation & Pick<OperationTable, 'practice_id'>): Promise<void>
  ended(write: Write, operation: Operation): Promise<void>
  /** To be taken up by somebody else. */
  handedBack(write: Write, operation: Operation): Promise<void>
}

/** By what a store and all its transactions have in common. */
const queues = new WeakMap<object, WorkQueue>()

/** In SQLite the operations themselves are the queue, so there is none. */
export const queueOf = (db: Database): WorkQueue | undefined => queues.get(db.getExecutor().adapter)

export function setQueue(db: Database, queue: WorkQueue): void {
  queues.set(db.getExecutor().adapter, queue)
}
