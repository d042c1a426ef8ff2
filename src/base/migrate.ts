import { AppError } from '#contract/errors.ts'
import type { Sqlite } from './sqlite.ts'

/** One step, in a file of its own, never edited once released. */
export interface Migration {
  /** Counts up by one. */
  readonly version: number
  /**
   * The oldest app schema that may still open the file after this step; 0 where older code is safe with it.
   * Older code than that must refuse (`database-newer`).
   */
  readonly minSafeVersion?: number
  readonly up: (database: Sqlite) => void
}

/**
 * Brings the database to the newest version, each step in a transaction of its own.
 *
 * @param beforeFirst runs before the first step where there is something to lose, e.g. to take a snapshot
 * @throws AppError `database-newer` where a newer app wrote it and this one is not safe with it
 */
export function migrate(database: Sqlite, migrations: readonly Migration[], beforeFirst?: (version: number) => void): void {
  let newest = 0
  for (const { version } of migrations) {
    if (version <= newest) throw new Error(`migration ${version} stands after ${newest}`)
    newest = version
  }
  const state = readState(database)
  if (state.version > newest && state.min_safe_version > newest) throw new AppError('database-newer')
  const missing = migrations.filter((step) => step.version > state.version)
  if (missing.length > 0 && state.version > 0) beforeFirst?.(state.version)
  for (const step of missing) {
    database
      .transaction(() => {
        step.up(database)
        database
          .prepare('update schema_state set version = ?, min_safe_version = max(min_safe_version, ?)')
          .run(step.version, step.minSafeVersion ?? step.version)
      })
      .immediate()
  }
}

function readState(database: Sqlite): { version: number; min_safe_version: number } {
  database.exec(
    'create table if not exists schema_state (id integer primary key check (id = 1), version integer not null, min_safe_version integer not null) strict',
  )
  database.exec('insert or ignore into schema_state (id, version, min_safe_version) values (1, 0, 0)')
  return database.prepare('select version, min_safe_version from schema_state').get() as {
    version: number
    min_safe_version: number
  }
}
