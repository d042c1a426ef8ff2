import { PostgresAdapter, sql } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Guarded } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** Two processes met; the database let one of them go first. */
const mostTries = 4

/** Tells the driver on PostgreSQL with whose keys this transaction seals. */
export interface PracticeName extends Guarded {
  readonly practice: string
}

export const practiceNameOf = (practice: string): PracticeName => ({
  isGuarded: true,
  plain: practice,
  practice,
  hidden: () => practice,
})

/**
 * One transaction that belongs to one practice and is alone in it: what a check saw still holds when the change is
 * written, over however many processes. SQLite has one writer anyway; PostgreSQL takes the practice's advisory lock
 * first and then shows and takes its rows alone. `work` may run again where the database let another one go first.
 * Within a transaction it just goes on there.
 */
export async function inPractice<Result>(
  db: Database,
  practice: string,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db as Write)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (write) => {
        if (isPostgres(db)) await enter(write, practice)
        return work(write)
      })
    } catch (error) {
      if (!(error instanceof LetGoFirst) || attempt === mostTries) throw error
    }
  }
}

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

/** One practice after the other, for what the machine itself must know or put away. */
export async function inEachPractice(db: Database, work: (write: Write, practice: string) => Promise<void>): Promise<void> {
  const practices = await db.selectFrom('practices').select('id').orderBy('id').execute()
  for (const { id } of practices) await inPractice(db, id, (write) => work(write, id))
}

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Thrown by the driver on PostgreSQL for a deadlock or a serialization failure: the same again succeeds. */
export class LetGoFirst extends AppError {
  constructor(cause: unknown) {
    super('service-unreachable', 'The records are busy. Try again.', [], { cause })
  }
}

async function enter(write: Write, practice: string): Promise<void> {
  await sql`select set_config('afterword.practice', ${practiceNameOf(practice)}, true),
    pg_advisory_xact_lock(hashtextextended('afterword ' || ${practice}, 0))`.execute(write)
}
