import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { vi } from 'vitest'
import { newKey } from '#base/aead.ts'
import { migrate, type Named } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { openAuditKeys } from '#service/store/audit.ts'
import type { StoreMigration } from '#service/store/migrations/migration.ts'
import { migrationsOnSqlite } from '#service/store/migrations.ts'
import { migratePostgres } from '#service/store/postgres/migrate.ts'
import type { StoreOptions } from '#service/store/open-store.ts'
import { openStore } from '#service/store/open-store.ts'
import { startPostgres } from '#test/support/postgres.ts'
import type { Postgres } from '#test/support/postgres.ts'

export type StoreKind = StoreOptions['kind']

/** Where the service's suites keep their records; `AFTERWORD_TEST_STORE=postgres` runs them all on PostgreSQL. */
export const storeUnderTest: StoreKind = process.env['AFTERWORD_TEST_STORE'] === 'postgres' ? 'postgres' : 'sqlite'

/** A store of its own for one test, and a way to look into it. */
export interface TestStore {
  readonly options: StoreOptions
  /** On the disk, for what stands beside the records. */
  readonly folder: string
  /** As whoever runs the machine and has the file's key could ask it: past the service and past its policies. */
  ask<Row>(text: string): Promise<Row[]>
  remove(): Promise<void>
}

let server: Promise<Postgres> | null = null
/** Made once and copied: what a new store looks like. */
let blank: Promise<string> | null = null

/** One for all files of a process, gone with it; every store is a database of its own there. */
export const postgresHere = (): Promise<Postgres> => (server ??= startPostgres())

export async function freshStore(kind: StoreKind = storeUnderTest): Promise<TestStore> {
  if (kind === 'sqlite') return sqliteStore()
  const postgres = await postgresHere()
  blank ??= (async () => {
    const { options } = await postgresStore(postgres)
    await (await openStore(options)).destroy()
    return options.url
  })()
  return postgresStore(postgres, await blank)
}

/** A place for one, with nothing in it yet. */
export async function blankStore(
  kind: StoreKind,
): Promise<TestStore & { bringTo(steps: readonly Named<StoreMigration>[]): Promise<void> }> {
  if (kind === 'sqlite') {
    const store = sqliteStore()
    const { file, key } = store.options
    const bringTo = async (steps: readonly Named<StoreMigration>[]): Promise<void> => {
      const database = openEncrypted(file, key)
      migrate(database, migrationsOnSqlite(steps, openAuditKeys(key)))
      database.close()
    }
    return { ...store, bringTo }
  }
  const store = await postgresStore(await postgresHere())
  const bringTo = async (steps: readonly Named<StoreMigration>[]): Promise<void> => {
    const pool = new pg.Pool({ connectionString: store.options.url })
    await migratePostgres(pool, steps, openAuditKeys(store.options.key))
    await pool.end()
  }
  return { ...store, bringTo }
}

type Of<Kind extends StoreKind> = TestStore & { readonly options: StoreOptions & { readonly kind: Kind } }

async function postgresStore(postgres: Postgres, like?: string): Promise<Of<'postgres'>> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-service-'))
  const url = await postgres.database(like)
  return {
    options: { kind: 'postgres', url, key: newKey() },
    folder,
    ask: async (text) => {
      const client = await postgres.look(url)
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function sqliteStore(): Of<'sqlite'> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-service-'))
  const key = newKey()
  const file = join(folder, 'service.db')
  return {
    options: { kind: 'sqlite', file, key },
    folder,
    ask: async <Row>(text: string): Promise<Row[]> => {
      const database = openEncrypted(file, key)
      // A service in this thread cannot end its transaction while a statement here waits for it.
      database.pragma('busy_timeout = 0')
      try {
        if (/^\s*(?:select|with)/i.test(text)) return database.prepare(text).all() as Row[]
        await vi.waitFor(() => database.exec(text), { timeout: 5000, interval: 5 })
        return []
      } finally {
        database.close()
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
