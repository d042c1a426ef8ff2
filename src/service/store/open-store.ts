import { Kysely } from 'kysely'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { sqliteDialect } from './dialect.ts'
import { practice } from './migrations/0001-practice.ts'
import { voices } from './migrations/0002-voices.ts'
import { models } from './migrations/0003-models.ts'
import { analyses } from './migrations/0004-analyses.ts'
import { templates } from './migrations/0005-templates.ts'
import type { Database, Tables } from './tables.ts'

const migrations = [practice, voices, models, analyses, templates] as const

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
