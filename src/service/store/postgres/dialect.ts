import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { AppError } from '#contract/errors.ts'
import type { PracticeName } from '../in-practice.ts'
import { isGuarded } from '../sealed.ts'
import { convertPostgres } from './failures.ts'
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

  async beginTransaction(connection: StoreConnection): Promise<void> {
    connection.sendAhead('begin')
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
  /^(savepoint|release savepoint) /,
  /^insert into "(audit_events|idempotency_keys)" /,
  /^delete from "idempotency_keys" /,
  /^insert into "quota_days" (?!.* returning )/s,
]
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** One connection for as long as one caller holds it. */
class StoreConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #keys: StoreKeys
  #practice: string | null = null
  #isBroken = false
  #failedAhead: unknown = null

  constructor(client: PoolClient, keys: StoreKeys) {
    this.#client = client
    this.#keys = keys
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map((value) => this.#written(value))
    if (goesAhead.some((kind) => kind.test(sql))) {
      this.sendAhead(sql, values)
      return { rows: [] }
    }
    const { command, rowCount, rows } = await this.#run(sql, values)
    return {
      rows: rows.map((row) => this.#read(row)) as Row[],
      ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    }
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
    this.#client.query(sql, values).catch((error: unknown) => {
      this.#failedAhead ??= error
    })
  }

  /** A statement that failed and was passed over makes the database roll back where it is told to commit. */
  async commit(): Promise<void> {
    if (this.#failedAhead !== null) throw convertPostgres(this.#failedAhead)
    const { command } = await this.#run('commit', [])
    this.#practice = null
    if (this.#failedAhead !== null) throw convertPostgres(this.#failedAhead)
    if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit')
  }

  /** A connection that is gone has rolled back by itself. */
  async rollback(): Promise<void> {
    this.#practice = null
    this.#failedAhead = null
    if (this.#isBroken) return
    try {
      await this.#client.query('rollback')
    } catch {
      this.#isBroken = true
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async #run(sql: string, values: unknown[]): Promise<{ command: string; rowCount: number | null; rows: object[] }> {
    try {
      return await this.#client.query<Record<string, unknown>>(sql, values)
    } catch (error) {
      const converted = convertPostgres(error)
      if (converted !== error && (error as { severity?: string }).severity !== 'ERROR') this.#isBroken = true
      throw converted
    }
  }

  #written(value: unknown): unknown {
    if (!isGuarded(value)) {
      // Read back it would be taken for what it pretends to be. Callers name keys and rooms as they like.
      if (this.#keys.looksSealed(value)) throw new AppError('bad-request', 'No value may begin as sealed values do.')
      return value
    }
    if ('practice' in value) this.#practice = (value as PracticeName).practice
    if (this.#practice === null) throw new Error('only a transaction of a practice can hide what it writes')
    return value.hidden(this.#keys.of(this.#practice))
  }

  #read(row: object): object {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, this.#keys.reveal(value)]))
  }
}
