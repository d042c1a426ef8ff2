import type { DatabaseConnection } from 'kysely'
import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, Transaction } from 'kysely'
import { AppError } from '#contract/errors.ts'
import { forgetChains, logHeadsOf, sealHeads } from './audit.ts'
import type { Guarded } from './sealed.ts'
import { type GroupCommit, openGroupCommit, openSnapshotReads, type SnapshotReads, type Work } from './batches.ts'
import type { Database, Write, Tables } from './tables.ts'

/** Kysely's Transaction constructor needs a dialect, although the executor already has a connection. */
const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: never) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Sends concurrent reads at once on one connection; Kysely would wait for each answer. */
function pipelined(transaction: Write, work: (read: Write) => Promise<void>): Promise<void> {
  const executor = transaction.getExecutor()
  return executor.provideConnection((connection: DatabaseConnection) => {
    const beside = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
    return work(new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor: beside }))
  })
}

const MAX_TRIES = 4

export interface PracticeName extends Guarded {
  readonly practice: string
  readonly isOptimistic: boolean
}

const practiceNameOf = (practice: string, isOptimistic = false): PracticeName => {
  return { isGuarded: true, plain: practice, practice, isOptimistic, hidden: () => practice }
}

/**
 * Runs `work` in a write transaction, which concurrent calls may share. On PostgreSQL the transaction holds the practice's
 * advisory lock, row-level security limits it to that practice, and `work` may run again after a serialization failure.
 * `mayRetry`: `work` has no effects outside the transaction, so it may first run optimistically.
 */
export async function inPractice<Result>(db: Database, practice: string, work: Work<Result>, mayRetry = false): Promise<Result> {
  if (db.isTransaction) return work(db as Write, true)
  return groupCommitOf(db, practice).add(work, mayRetry)
}

const groupCommitOf = onePerPractice<GroupCommit>((db, practice) =>
  openGroupCommit({
    transaction: async (work, isPessimistic) => {
      let committed: Write | undefined
      const working: typeof work = async (write) => {
        committed = write
        const outcomes = await work(write)
        await sealHeads(write)
        return outcomes
      }
      const outcomes = await (isPostgres(db)
        ? withRetries(db, practice, !isPessimistic, working)
        : db.transaction().execute(working))
      if (committed !== undefined) logHeadsOf(committed)
      return outcomes
    },
    endsTransaction: (error) => error instanceof SerializationFailure || error instanceof Busy,
    onRollback: forgetChains,
    isPermanent: (error) => error instanceof StatementTimeout,
    endsQueue: (error) => error instanceof Busy,
  }),
)

/** Size limit of the cache. Clearing the cache can briefly leave a busy practice with two queues, which is safe. */
const MAX_PRACTICES = 1000

function onePerPractice<Item>(open: (db: Database, practice: string) => Item): (db: Database, practice: string) => Item {
  const ofStores = new WeakMap<Database, Map<string, Item>>()
  return (db, practice) => {
    const ofStore = ofStores.get(db) ?? new Map<string, Item>()
    ofStores.set(db, ofStore)
    const name = isPostgres(db) ? practice : ''
    const known = ofStore.get(name)
    if (known !== undefined) return known
    if (ofStore.size >= MAX_PRACTICES) ofStore.clear()
    const item = open(db, practice)
    ofStore.set(name, item)
    return item
  }
}

async function withRetries<Result>(
  db: Database,
  practice: string,
  isOptimistic: boolean,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (write) => {
        await enterPractice(write, practice, isOptimistic)
        return work(write)
      })
    } catch (error) {
      if (!(error instanceof SerializationFailure) || attempt === MAX_TRIES) throw error
    }
  }
}

/** Reads without waiting for writers, on PostgreSQL in a snapshot. Never base a change on the result. */
export function readSnapshot<Result>(db: Database, practice: string, work: (read: Write) => Promise<Result>): Promise<Result> {
  return hasSnapshotReads(db) ? snapshotReadsOf(db, practice).add(work) : work(db as Write)
}

export const hasSnapshotReads = (db: Database): boolean => isPostgres(db) && !db.isTransaction

const snapshotReadsOf = onePerPractice<SnapshotReads>((db, practice) =>
  openSnapshotReads({
    transaction: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (read) => {
          await sql`select set_config('afterword.practice', ${practiceNameOf(practice)}, true)`.execute(read)
          await pipelined(read, work)
        }),
    isRetryable: (error) => error instanceof SerializationFailure,
    isUnreachable: (error) => error instanceof AppError && error.code === 'service-unreachable',
  }),
)

/** Reads rows by an exact value before their practice is known, such as an API key by its id; see `Flavour.isolate`. */
export function byName<Result>(db: Database, name: string, work: (read: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgres(db)) return work(db)
  return db.transaction().execute(async (read) => {
    await sql`select set_config('afterword.named', ${name}, true)`.execute(read)
    return work(read)
  })
}

/** Reads rows of all practices. On PostgreSQL, an isolated table must be marked with `Flavour.countable`. */
export function acrossPractices<Result>(db: Database, work: (read: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgres(db)) return work(db)
  const reading = db.transaction().setAccessMode('read only')
  return reading.execute(async (read) => {
    await sql`select set_config('afterword.across', 'on', true)`.execute(read)
    return work(read)
  })
}

/** On PostgreSQL, after this call the transaction sees and seals rows of this practice. */
export async function continueAsPractice(write: Write, practice: string): Promise<void> {
  if (isPostgres(write)) await sql`select set_config('afterword.practice', ${practiceNameOf(practice)}, true)`.execute(write)
}

const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

export class SerializationFailure extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records are busy. Try again.', [], { cause })
  }
}

export class StatementTimeout extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records cannot be reached. Try again.', [], { cause })
  }
}

export class Busy extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records are busy. Nothing was saved. Try again in a few seconds.', [], { cause })
  }
}

async function enterPractice(write: Write, practice: string, isOptimistic: boolean): Promise<void> {
  await sql`select set_config('afterword.practice', ${practiceNameOf(practice, isOptimistic)}, true),
    pg_advisory_xact_lock(hashtextextended('afterword ' || ${practice}, 0))`.execute(write)
}
