import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { AppError } from '#contract/errors.ts'
import type { PracticeName } from '../in-practice.ts'
import { Busy, LetGoFirst, TookTooLong } from '../in-practice.ts'
import { isGuarded } from '../sealed.ts'
import { CareNeeded } from '../shared-commit.ts'
import { changedUnderPlan, convertPostgres } from './failures.ts'
import type { StoreKeys } from './practice-keys.ts'

/** Kysely over PostgreSQL. What is guarded is hidden before it leaves this process, and revealed as it comes back. */
export function postgresDialect(pool: Pool, keys: StoreKeys): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new StoreDriver(pool, keys),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class StoreDriver implements Driver {
  readonly #pool: Pool
  readonly #keys: StoreKeys

  constructor(pool: Pool, keys: StoreKeys) {
    this.#pool = pool
    this.#keys = keys
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    try {
      return new StoreConnection(await this.#pool.connect(), this.#keys)
    } catch (error) {
      throw convertPostgres(error)
    }
  }

  async beginTransaction(connection: StoreConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
    connection.sendAhead(`begin${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`)
  }

  async commitTransaction(connection: StoreConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: StoreConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(connection: StoreConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    this.#keys.destroy()
    await this.#pool.end()
  }
}

/** Statements whose answer says nothing, and that fail only where everything does. */
const goesAhead = [
  /^select set_config\(/,
  /^(savepoint|release savepoint) /,
  /^insert into "(audit_events|idempotency_keys)" /,
  /^update "audit_heads" /,
  /^delete from "idempotency_keys" /,
  /^insert into "quota_days" (?!.* returning )/s,
]
/** A row that is added or refused; whoever is in haste hears of the latter by the commit, and begins again with care. */
const addsOne = /^insert into "\w+" (?!.* (?:returning|on conflict) )/s
/** Asked with every call. Whoever holds the practice's lock hears once what stays true until they change it themselves. */
const authorityQuestion = 'select "authority_version" from "practices" where "id" = $1'
const movesAuthority = /^(insert into|update|delete from) "(api_keys|staff|break_glass|practices)" /
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** How many texts a connection keeps parsed and planned; lists of ids make ever new ones. */
const MAX_NAMED = 400
const MAX_SEEN_ONCE = 2000
const seenOnce = new Set<string>()
const names = new Map<string, string>()

/** Of a statement that was sent before: it is not parsed and planned again on a connection that knows it. */
function nameOf(sql: string): { name?: string } {
  const known = names.get(sql)
  if (known !== undefined) return { name: known }
  if (!seenOnce.has(sql) || names.size >= MAX_NAMED) {
    if (seenOnce.size >= MAX_SEEN_ONCE) seenOnce.clear()
    seenOnce.add(sql)
    return {}
  }
  seenOnce.delete(sql)
  const name = `afterword_${names.size}`
  names.set(sql, name)
  return { name }
}

/** One connection for as long as one caller holds it. */
class StoreConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #keys: StoreKeys
  #practice: string | null = null
  #isBroken = false
  #isHasty = false
  #isGathering = false
  /** It holds the line of a practice's changes. */
  #isLocked = false
  #failedAhead: unknown = null
  #authority: QueryResult<unknown> | null = null

  constructor(client: PoolClient, keys: StoreKeys) {
    this.#client = client
    this.#keys = keys
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map((value) => this.#written(value))
    if (movesAuthority.test(sql)) this.#authority = null
    if (goesAhead.some((kind) => kind.test(sql)) || (this.#isHasty && addsOne.test(sql))) {
      this.#isLocked ||= sql.includes('pg_advisory_xact_lock')
      this.sendAhead(sql, values)
      return { rows: [], numAffectedRows: 1n }
    }
    if (sql === authorityQuestion && this.#authority !== null) return this.#authority as QueryResult<Row>
    const { command, rowCount, rows } = await this.#run(sql, values)
    for (const row of rows) this.#reveal(row)
    const result = { rows: rows as Row[], ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
    if (sql === authorityQuestion && this.#isLocked) this.#authority = result
    return result
  }

  // eslint-disable-next-line require-yield -- Lists are read in pages here; nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a stream holds its connection; read in pages')
  }

  /**
   * Sent without waiting for its answer, which says nothing: the statement behind it goes out with it. Answers come in
   * order, so one that failed is known by the time a later one is answered; nothing of the transaction then stands.
   */
  sendAhead(sql: string, values: unknown[] = []): void {
    this.#send(sql, values).catch((error: unknown) => {
      this.#failedAhead ??= error
    })
  }

  /** A statement that failed and was passed over makes the database roll back where it is told to commit. */
  async commit(): Promise<void> {
    if (this.#failedAhead !== null) throw this.#passedOn(this.#failedAhead)
    const { command } = await this.#run('commit', [])
    const failed = this.#failedAhead
    if (command !== 'COMMIT') throw this.#passedOn(failed ?? new Error('the transaction had failed before its commit'))
    this.#forget()
    if (failed !== null) throw convertPostgres(failed)
  }

  /** Of a statement nobody waited for. Nothing of the transaction stands, so whoever is in haste may begin again. */
  #passedOn(error: unknown): unknown {
    const converted = convertPostgres(error)
    const isWorthCare = !(converted instanceof LetGoFirst || converted instanceof TookTooLong || converted instanceof Busy)
    return this.#isHasty && isWorthCare ? new CareNeeded() : converted
  }

  /** A connection that is gone has rolled back by itself. */
  async rollback(): Promise<void> {
    this.#forget()
    this.#failedAhead = null
    if (this.#isBroken) return
    try {
      await this.#client.query('rollback')
    } catch {
      this.#isBroken = true
    }
  }

  #forget(): void {
    this.#practice = null
    this.#authority = null
    this.#isLocked = false
    this.#isHasty = false
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async #run(
    sql: string,
    values: unknown[],
  ): Promise<{ command: string; rowCount: number | null; rows: Record<string, unknown>[] }> {
    try {
      return await this.#send(sql, values)
    } catch (failed) {
      // What goes before it is told first, and says why.
      const error = this.#failedAhead ?? failed
      const converted = convertPostgres(error)
      const { severity, code } = error as { severity?: string; code?: string }
      if (converted !== error && (severity !== 'ERROR' || code === changedUnderPlan)) this.#isBroken = true
      throw converted
    }
  }

  #send(sql: string, values: unknown[]) {
    this.#gather()
    return this.#client.query<Record<string, unknown>>({ ...nameOf(sql), text: sql, values })
  }

  /** What is sent before anything is waited for leaves in one piece: each piece is a way into the kernel and back. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.#client.connection
    stream.cork()
    // Behind all that runs on from here without waiting.
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #written(value: unknown): unknown {
    if (!isGuarded(value)) {
      // Read back it would be taken for what it pretends to be. Callers name keys and rooms as they like.
      if (this.#keys.looksSealed(value)) throw new AppError('bad-request', 'No value may begin as sealed values do.')
      return value
    }
    if ('practice' in value) {
      const { practice, isHasty } = value as PracticeName
      this.#practice = practice
      this.#isHasty = isHasty
    }
    if (this.#practice === null) throw new Error('only a transaction of a practice can hide what it writes')
    return value.hidden(this.#keys.of(this.#practice))
  }

  #reveal(row: Record<string, unknown>): void {
    for (const name in row) row[name] = this.#keys.reveal(row[name])
  }
}
