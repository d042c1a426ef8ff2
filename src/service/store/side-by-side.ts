import type { DatabaseConnection } from 'kysely'
import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, Transaction } from 'kysely'
import type { Tables, Write } from './tables.ts'

/** Stands where a transaction needs a dialect; connections come from elsewhere. */
const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: never) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/**
 * The transaction's connection for works that run side by side: Kysely sends a statement when the one before was
 * answered; here they leave at once, and are answered in order.
 */
export function sideBySide(transaction: Write, work: (read: Write) => Promise<void>): Promise<void> {
  const executor = transaction.getExecutor()
  return executor.provideConnection((connection: DatabaseConnection) => {
    const beside = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
    return work(new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor: beside }))
  })
}
