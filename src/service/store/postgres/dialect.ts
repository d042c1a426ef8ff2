import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { AppError } from '#contract/errors.ts'
import { Busy, type PracticeName, SerializationFailure, StatementTimeout } from '../in-practice.ts'
import { isGuarded } from '../sealed.ts'
import { RetryPessimistic } from '../batches.ts'
import { changedUnderPlan, convertPostgres } from './failures.ts'
import type { StoreKeys } from './practice-keys.ts'

export function postgresDialect(pool: Pool, keys: StoreKeys): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(pool, keys),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driverOver(pool: Pool, keys: StoreKeys): Driver {
  const own = (connection: DatabaseConnection): StoreConnection => connection as StoreConnection
  return {
    init: async () => {},
    acquireConnection: async () => {
      try {
        return new StoreConnection(await pool.connect(), keys)
      } catch (error) {
        throw convertPostgres(error)
      }
    },
    beginTransaction: async (connection, { isolationLevel, accessMode }) => {
      const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
      own(connection).sendAhead(`begin${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`)
    },
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollback(),
    releaseConnection: async (connection) => own(connection).release(),
    destroy: async () => {
      keys.destroy()
      await pool.end()
    },
  }
}

/** Statements sent without waiting for their answers, which carry no data. If one fails, the whole transaction fails. */
const sentAhead = [
  /^select set_config\(/,
  /^(savepoint|release savepoint) /,
  /^insert into "(audit_events|idempotency_keys)" /,
  /^update "audit_heads" /,
  /^delete from "idempotency_keys" /,
  /^insert into "quota_days" (?!.* returning )/s,
]
/** Inserts sent ahead on the optimistic path: a rejected row fails the commit, and the batch is retried pessimistically. */
const plainInsert = /^insert into "\w+" (?!.* (?:returning|on conflict) )/s
/** Query of `authorityVersion`. Under the practice's lock, its answer is cached until the transaction may change it or ends. */
const authorityQuery = 'select "authority_version" from "practices" where "id" = $1'
const changesAuthority = /^(insert into|update|delete from) "(api_keys|staff|break_glass|practices)" /
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const MAX_NAMED = 400
const MAX_SEEN_ONCE = 2000
const seenOnce = new Set<string>()
const names = new Map<string, string>()

/** A statement is prepared on its second use, because statements with lists of ids rarely repeat. */
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

class StoreConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #keys: StoreKeys
  #practice: string | null = null
  #isBroken = false
  #isOptimistic = false
  #isCorked = false
  #isLocked = false
  #failedAhead: unknown = null
  #authority: QueryResult<unknown> | null = null

  constructor(client: PoolClient, keys: StoreKeys) {
    this.#client = client
    this.#keys = keys
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map((value) => this.#encode(value))
    if (changesAuthority.test(sql)) this.#authority = null
    if (sentAhead.some((kind) => kind.test(sql)) || (this.#isOptimistic && plainInsert.test(sql))) {
      this.#isLocked ||= sql.includes('pg_advisory_xact_lock')
      this.sendAhead(sql, values)
      return { rows: [], numAffectedRows: 1n }
    }
    if (sql === authorityQuery && this.#authority !== null) return this.#authority as QueryResult<Row>
    const { command, rowCount, rows } = await this.#run(sql, values)
    for (const row of rows) this.#reveal(row)
    const result = { rows: rows as Row[], ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
    if (sql === authorityQuery && this.#isLocked) this.#authority = result
    return result
  }

  // eslint-disable-next-line require-yield -- Lists are read in pages here; nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a stream holds its connection; read in pages')
  }

  /** Does not wait for the answer. A failure is known before any later answer arrives, and the transaction then fails. */
  sendAhead(sql: string, values: unknown[] = []): void {
    this.#send(sql, values).catch((error: unknown) => {
      this.#failedAhead ??= error
    })
  }

  /** After a failed statement PostgreSQL answers COMMIT with ROLLBACK, so check the command. */
  async commit(): Promise<void> {
    if (this.#failedAhead !== null) throw this.#aheadError(this.#failedAhead)
    const { command } = await this.#run('commit', [])
    const failed = this.#failedAhead
    if (command !== 'COMMIT') throw this.#aheadError(failed ?? new Error('the transaction had failed before its commit'))
    this.#forget()
    if (failed !== null) throw convertPostgres(failed)
  }

  #aheadError(error: unknown): unknown {
    const converted = convertPostgres(error)
    const isRetryable = !(
      converted instanceof SerializationFailure ||
      converted instanceof StatementTimeout ||
      converted instanceof Busy
    )
    return this.#isOptimistic && isRetryable ? new RetryPessimistic() : converted
  }

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
    this.#isOptimistic = false
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
      // If a statement sent ahead failed earlier, its error is the cause.
      const error = this.#failedAhead ?? failed
      const converted = convertPostgres(error)
      const { severity, code } = error as { severity?: string; code?: string }
      if (converted !== error && (severity !== 'ERROR' || code === changedUnderPlan)) this.#isBroken = true
      throw converted
    }
  }

  #send(sql: string, values: unknown[]) {
    this.#cork()
    return this.#client.query<Record<string, unknown>>({ ...nameOf(sql), text: sql, values })
  }

  /** Corks the socket, so that queued statements go out in one write. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #encode(value: unknown): unknown {
    if (!isGuarded(value)) {
      // A value that looks sealed would be decrypted on reading. Callers choose some unsealed values, such as key names.
      if (this.#keys.looksSealed(value)) throw new AppError('bad-request', 'No value may begin as sealed values do.')
      return value
    }
    if ('practice' in value) {
      const { practice, isOptimistic } = value as PracticeName
      this.#practice = practice
      this.#isOptimistic = isOptimistic
    }
    if (this.#practice === null) throw new Error('only a transaction of a practice can hide what it writes')
    return value.hidden(this.#keys.of(this.#practice))
  }

  #reveal(row: Record<string, unknown>): void {
    for (const name in row) row[name] = this.#keys.reveal(row[name])
  }
}
