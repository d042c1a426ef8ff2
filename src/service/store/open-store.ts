import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { setTimeout as later } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Clock } from '#base/clock.ts'
import { type Migration, type Named, migrate } from '#base/migrate.ts'
import type { ReadOut } from '#base/read-out.ts'
import { isNew, openChecked, openRepaired, rebuildDatabase } from '#base/rebuild-database.ts'
import { setForeignJournalAside, setObstaclesAside } from '#base/set-aside.ts'
import { checkpointOften, openEncrypted, type Sqlite, convert } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { openAuditKeys, setAuditKeys } from './audit.ts'
import { migrations, migrationsOnSqlite } from './migrations.ts'
import type { Database, Tables } from './tables.ts'
import { Busy } from './in-practice.ts'
import { isGuarded } from './sealed.ts'

export type StoreOptions = (
  | { readonly kind: 'sqlite'; readonly file: string; readonly key: Uint8Array; readonly repair?: Repair }
  /** `key`: 32 bytes, from which the keys that seal sensitive columns are derived. */
  | { readonly kind: 'postgres'; readonly url: string; readonly key: Uint8Array }
) & {
  readonly lockMs?: number
}

/** Rebuilds a damaged store from its readable records. Without this option, a damaged store is refused. */
export interface Repair {
  readonly clock: Clock
  readonly onRepaired: (found: ReadOut) => void
}

const USUAL_LOCK_MS = 5_000

export async function openStore(options: StoreOptions): Promise<Database> {
  const { lockMs = USUAL_LOCK_MS } = options
  if (options.kind === 'sqlite') return openSqliteStore(options.file, options.key, lockMs, options.repair)
  // Loaded on demand: laptops do not use PostgreSQL.
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore(options.url, options.key, lockMs)
}

export function openSqliteStore(file: string, key: Uint8Array, lockMs = USUAL_LOCK_MS, repair?: Repair): Database {
  const auditKeys = openAuditKeys(key)
  const steps = migrationsOnSqlite(migrations, auditKeys)
  const sqlite = repair === undefined ? openEncrypted(file, key) : openRepairedStore(file, key, steps, repair)
  try {
    migrate(sqlite, steps)
  } catch (error) {
    sqlite.close()
    throw error
  }
  checkpointOften(sqlite)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqlite, lockMs) })
  setAuditKeys(db, auditKeys)
  return db
}

function openRepairedStore(path: string, key: Uint8Array, steps: readonly Named<Migration>[], { clock, onRepaired }: Repair) {
  setObstaclesAside(path, clock)
  if (isNew(path)) return openEncrypted(path, key)
  return openRepaired(
    () => openChecked(path, key),
    [
      () => setForeignJournalAside(path, key, clock),
      () =>
        rebuildDatabase({ path, key, clock, migrations: steps, grows: 'audit_events', onRead: (_, found) => onRepaired(found) }),
    ],
  )
}

/** Milliseconds. SQLite's busy wait blocks the thread, so it is short; the pause between attempts does not block. */
const BUSY_MS = 10
const PAUSE_MS = 40

const KEPT_STATEMENTS = 200

/** Every transaction is BEGIN IMMEDIATE: it holds the write lock from its first read, so nothing it has read changes. */
function sqliteDialect(database: Sqlite, lockMs: number): Dialect {
  database.pragma(`busy_timeout=${BUSY_MS}`)
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driverOver(database, lockMs),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function driverOver(database: Sqlite, lockMs: number): Driver {
  const connection = connectionOver(database)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: () => begin(database, lockMs),
    commitTransaction: async () => guard(() => void database.exec('commit')),
    // SQLite has already rolled back after some errors, such as a full disk.
    rollbackTransaction: async () => void (database.inTransaction && database.exec('rollback')),
    destroy: async () => void database.close(),
  }
}

async function begin(database: Sqlite, lockMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += BUSY_MS + PAUSE_MS) {
    try {
      return guard(() => void database.exec('begin immediate'))
    } catch (error) {
      if (!(error instanceof Busy) || waitedMs >= lockMs) throw error
      await later(PAUSE_MS)
    }
  }
}

function connectionOver(database: Sqlite): DatabaseConnection {
  const statements = new Map<string, Statement>()
  function prepared(sql: string): Statement {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    if (statements.size >= KEPT_STATEMENTS) statements.delete(statements.keys().next().value!)
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

/** The whole file is encrypted, so values are stored unsealed. */
const asItIs = (value: unknown): unknown => (isGuarded(value) ? value.plain : value)

function bookedTwice(error: unknown): AppError | null {
  const { code, message } = error as { code?: string; message?: string }
  const isIt = code === 'SQLITE_CONSTRAINT_TRIGGER' && message === 'double booking'
  return isIt ? new AppError('double-booking', undefined, [], { cause: error }) : null
}

function guard<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
    throw isBusy ? new Busy(error) : (bookedTwice(error) ?? convert(error))
  }
}
