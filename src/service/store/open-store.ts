import { Kysely } from 'kysely'
import type { Clock } from '#base/clock.ts'
import type { Migration, Named } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import type { ReadOut } from '#base/read-out.ts'
import { isNew, openChecked, openRepaired, rebuildDatabase } from '#base/rebuild-database.ts'
import { setForeignJournalAside } from '#base/set-aside.ts'
import { checkpointOften, openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { openAuditKeys, setAuditKeys } from './audit-keys.ts'
import { sqliteDialect } from './dialect.ts'
import { migrations } from './migrations.ts'
import { migrationsOnSqlite } from './migrate-sqlite.ts'
import type { Database, Tables } from './tables.ts'

export type StoreOptions = (
  | { readonly kind: 'sqlite'; readonly file: string; readonly key: Uint8Array; readonly repair?: Repair }
  /** `key`: 32 bytes that everything clinical is sealed with before it leaves this process. */
  | { readonly kind: 'postgres'; readonly url: string; readonly key: Uint8Array }
) & {
  /** Milliseconds that a change waits for one of another process before it fails with `Busy`. */
  readonly lockMs?: number
}

/** A damaged store is rebuilt from what is left of it; where this is left out it refuses to open. */
export interface Repair {
  readonly clock: Clock
  readonly onRepaired: (found: ReadOut) => void
}

const usualLockMs = 5_000

/** @throws AppError what opening or migrating the database can fail with */
export async function openStore(options: StoreOptions): Promise<Database> {
  const { lockMs = usualLockMs } = options
  if (options.kind === 'sqlite') return openSqliteStore(options.file, options.key, lockMs, options.repair)
  // A laptop starts without it.
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore(options.url, options.key, lockMs)
}

/** @throws AppError what opening or migrating an encrypted database can fail with */
export function openSqliteStore(file: string, key: Uint8Array, lockMs = usualLockMs, repair?: Repair): Database {
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

function openRepairedStore(
  path: string,
  key: Uint8Array,
  steps: readonly Named<Migration>[],
  { clock, onRepaired }: Repair,
): Sqlite {
  if (isNew(path)) return openEncrypted(path, key)
  return openRepaired(
    () => openChecked(path, key),
    [
      () => setForeignJournalAside(path, key, clock),
      () => rebuildDatabase({ path, key, clock, migrations: steps, onRead: (_, found) => onRepaired(found) }),
    ],
  )
}
