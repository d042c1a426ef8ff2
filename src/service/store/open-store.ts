import { Kysely } from 'kysely'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { openAuditKeys, setAuditKeys } from './audit-keys.ts'
import { sqliteDialect } from './dialect.ts'
import { migrations } from './migrations.ts'
import { migrationsOnSqlite } from './migrate-sqlite.ts'
import type { Database, Tables } from './tables.ts'

export type StoreOptions = (
  | { readonly kind: 'sqlite'; readonly file: string; readonly key: Uint8Array }
  /** `key`: 32 bytes that everything clinical is sealed with before it leaves this process. */
  | { readonly kind: 'postgres'; readonly url: string; readonly key: Uint8Array }
) & {
  /** Milliseconds that a change waits for one of another process before it fails with `Busy`. */
  readonly lockMs?: number
}

const usualLockMs = 5_000

/** @throws AppError what opening or migrating the database can fail with */
export async function openStore(options: StoreOptions): Promise<Database> {
  const { lockMs = usualLockMs } = options
  if (options.kind === 'sqlite') return openSqliteStore(options.file, options.key, lockMs)
  // A laptop starts without it.
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore(options.url, options.key, lockMs)
}

/** @throws AppError what opening or migrating an encrypted database can fail with */
export function openSqliteStore(file: string, key: Uint8Array, lockMs = usualLockMs): Database {
  const sqlite = openEncrypted(file, key)
  const auditKeys = openAuditKeys(key)
  try {
    migrate(sqlite, migrationsOnSqlite(migrations, auditKeys))
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqlite, lockMs) })
  setAuditKeys(db, auditKeys)
  return db
}
