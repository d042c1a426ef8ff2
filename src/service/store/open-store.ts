import { Kysely } from 'kysely'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { sqliteDialect } from './dialect.ts'
import { practice } from './migrations/0001-practice.ts'
import type { Database, Tables } from './tables.ts'

const migrations = [practice] as const

/** @throws AppError what opening or migrating an encrypted database can fail with */
export function openSqliteStore(file: string, key: Uint8Array): Database {
  const sqlite = openEncrypted(file, key)
  try {
    migrate(sqlite, migrations)
  } catch (error) {
    sqlite.close()
    throw error
  }
  return new Kysely<Tables>({ dialect: sqliteDialect(sqlite) })
}
