import {
  PostgresAdapter,
  sql,
  type DatabaseConnection,
  DummyDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
} from 'kysely'
import { AppError } from '#contract/errors.ts'
import { forgetChains, logHeadsOf, sealHeads } from './audit.ts'
import type { Guarded } from './sealed.ts'
import { type SharedCommit, type Work, shareCommits } from './shared-commit.ts'
import { type SharedLook, shareLooks } from './shared-look.ts'
import type { Database, Write, Tables } from './tables.ts'

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
function sideBySide(transaction: Write, work: (read: Write) => Promise<void>): Promise<void> {
  const executor = transaction.getExecutor()
  return executor.provideConnection((connection: DatabaseConnection) => {
    const beside = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
    return work(new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor: beside }))
  })
}

/** Two processes met; the database let one of them go first. */
const MAX_TRIES = 4

/** Tells the driver on PostgreSQL with whose keys this transaction seals. */
export interface PracticeName extends Guarded {
  readonly practice: string
  /** It may run again, carefully: also rows that the database may refuse are sent without waiting for its answer. */
  readonly isHasty: boolean
}

const practiceNameOf = (practice: string, isHasty = false): PracticeName => ({
  isGuarded: true,
  plain: practice,
  practice,
  isHasty,
  hidden: () => practice,
})

/**
 * One transaction that belongs to one practice and is alone in it: what a check saw still holds when the change is
 * written, over however many processes. SQLite has one writer anyway; PostgreSQL takes the practice's advisory lock
 * first and then shows and takes its rows alone. `work` may run again where the database let another one go first.
 * Works that wait at the same time share a commit; each stands or falls by itself. Within a transaction it just goes
 * on there.
 *
 * @param mayHurry `work` touches nothing but its transaction: it may run once more, with care, where one of those that
 *   share its commit failed
 */
export async function inPractice<Result>(db: Database, practice: string, work: Work<Result>, mayHurry = false): Promise<Result> {
  if (db.isTransaction) return work(db as Write, true)
  return lineOf(db, practice).add(work, mayHurry)
}

/** Of each store the works that share their commits: all of them on SQLite, those of one practice on PostgreSQL. */
const lineOf = onePerPractice<SharedCommit>((db, practice) =>
  shareCommits({
    transaction: async (work, isCareful) => {
      let committed: Write | undefined
      const working: typeof work = async (write) => {
        committed = write
        const outcomes = await work(write)
        await sealHeads(write)
        return outcomes
      }
      const outcomes = await (isPostgres(db)
        ? asLongAsLetGo(db, practice, !isCareful, working)
        : db.transaction().execute(working))
      if (committed !== undefined) logHeadsOf(committed)
      return outcomes
    },
    isForAll: (error) => error instanceof LetGoFirst || error instanceof Busy,
    onUndone: forgetChains,
    isHopeless: (error) => error instanceof TookTooLong,
    isForWaiting: (error) => error instanceof Busy,
  }),
)

/** More practices than this are hardly busy at once; one forgotten while it is busy has two for a while. */
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

async function asLongAsLetGo<Result>(
  db: Database,
  practice: string,
  isHasty: boolean,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (write) => {
        await enter(write, practice, isHasty)
        return work(write)
      })
    } catch (error) {
      if (!(error instanceof LetGoFirst) || attempt === MAX_TRIES) throw error
    }
  }
}

/**
 * Reads what the practice has committed, beside whatever is being written: a look that saves work, never one that a
 * change rests upon. On PostgreSQL one moment for all it reads, and nothing can be written in it.
 */
export function lookInPractice<Result>(db: Database, practice: string, work: (read: Write) => Promise<Result>): Promise<Result> {
  return looksBeside(db) ? looksOf(db, practice).add(work) : work(db as Write)
}

/** Whether a look waits for nothing that is being written. SQLite has one connection for both. */
export const looksBeside = (db: Database): boolean => isPostgres(db) && !db.isTransaction

const looksOf = onePerPractice<SharedLook>((db, practice) =>
  shareLooks({
    look: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (read) => {
          await sql`select set_config('afterword.practice', ${practiceNameOf(practice)}, true)`.execute(read)
          await sideBySide(read, work)
        }),
    isWorthAgain: (error) => error instanceof LetGoFirst,
    isOutOfReach: (error) => error instanceof AppError && error.code === 'service-unreachable',
  }),
)

/**
 * Reads rows that may be found by an exact name before it is known whose they are, such as a key by its id; see
 * `Flavour.isolate`. Changes nothing.
 */
export function byName<Result>(db: Database, name: string, work: (read: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgres(db)) return work(db)
  return db.transaction().execute(async (read) => {
    await sql`select set_config('afterword.named', ${name}, true)`.execute(read)
    return work(read)
  })
}

/**
 * Reads rows of every practice at once, such as work under way or what is due. On PostgreSQL only tables that allow it
 * show any (`Flavour.countable`), and nothing can be written.
 */
export function acrossPractices<Result>(db: Database, work: (read: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgres(db)) return work(db)
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (read) => {
      await sql`select set_config('afterword.across', 'on', true)`.execute(read)
      return work(read)
    })
}

/** For a practice made in a transaction that belongs to none yet: its rows are seen and sealed as its own from here on. */
export async function continueAsPractice(write: Write, practice: string): Promise<void> {
  if (isPostgres(write)) await sql`select set_config('afterword.practice', ${practiceNameOf(practice)}, true)`.execute(write)
}

const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Thrown by the driver on PostgreSQL for a deadlock or a serialization failure: the same again succeeds. */
export class LetGoFirst extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records are busy. Try again.', [], { cause })
  }
}

/** Thrown by the driver on PostgreSQL for an answer that did not come in time. */
export class TookTooLong extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records cannot be reached. Try again.', [], { cause })
  }
}

/** Thrown by both drivers where another process did not let go of the lock in time. */
export class Busy extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records are busy. Nothing was saved. Try again in a few seconds.', [], { cause })
  }
}

async function enter(write: Write, practice: string, isHasty: boolean): Promise<void> {
  await sql`select set_config('afterword.practice', ${practiceNameOf(practice, isHasty)}, true),
    pg_advisory_xact_lock(hashtextextended('afterword ' || ${practice}, 0))`.execute(write)
}
