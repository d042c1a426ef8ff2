import type { Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { AppError } from '#contract/errors.ts'
import { convert } from '#base/sqlite.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { isGuarded } from './sealed.ts'

/** Statements kept prepared; the set of queries is closed, lists of ids aside. */
const keptStatements = 200

/**
 * Kysely over our encrypted database. Every transaction begins IMMEDIATE: it holds the write lock from its first
 * read on, so that what a check saw still holds when the change is written. Kysely's adapter for SQLite lets one
 * caller at a time use the connection.
 */
export function sqliteDialect(database: Sqlite): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driverOver(database),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function driverOver(database: Sqlite): Driver {
  const connection = connectionOver(database)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => void database.exec('begin immediate'),
    commitTransaction: async () => guard(() => void database.exec('commit')),
    // SQLite has already rolled back by itself after some failures, a full disk among them.
    rollbackTransaction: async () => void (database.inTransaction && database.exec('rollback')),
    destroy: async () => void database.close(),
  }
}

function connectionOver(database: Sqlite): DatabaseConnection {
  const statements = new Map<string, Statement>()
  function prepared(sql: string): Statement {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    if (statements.size >= keptStatements) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
    return statement
  }
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return guard(() => {
        const statement = prepared(sql)
        const values = parameters.map(asItIs)
        if (statement.reader) return { rows: statement.all(values) as Row[] }
        return { rows: [], numAffectedRows: BigInt(statement.run(values).changes) }
      })
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      for (const row of database.prepare(sql).iterate(parameters.map(asItIs))) yield { rows: [row as Row] }
    },
  }
}

/** The file is encrypted as a whole. */
const asItIs = (value: unknown): unknown => (isGuarded(value) ? value.plain : value)

/** What the trigger on sessions refuses. */
function bookedTwice(error: unknown): AppError | null {
  const { code, message } = error as { code?: string; message?: string }
  const isIt = code === 'SQLITE_CONSTRAINT_TRIGGER' && message === 'double booking'
  return isIt ? new AppError('double-booking', undefined, [], { cause: error }) : null
}

function guard<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw bookedTwice(error) ?? convert(error)
  }
}
