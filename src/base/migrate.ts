import { AppError } from '#contract/errors.ts'
import { completeSchema, stepsFound } from './schema.ts'
import type { Sqlite } from './sqlite.ts'

export interface Migration {
  readonly version: number
  /** Releases whose newest migration is below this version refuse the database with `database-newer`. Default: `version`. */
  readonly minSafeVersion?: number
  readonly up: (database: Sqlite) => void
}

/** Steps are recorded by name, because a step can be released after a step with a higher version. */
export type Named<Step> = Step & { readonly name: string }

export function named<Step extends { readonly version: number }>(steps: Readonly<Record<string, Step>>): readonly Named<Step>[] {
  const list = Object.entries(steps).map(([name, step]) => ({ ...step, name }))
  for (const [index, { name, version }] of list.entries()) {
    if (Number.parseInt(name, 10) !== version) throw new Error(`migration ${name} has version ${version}`)
    if (version <= (list[index - 1]?.version ?? 0)) throw new Error(`migration ${name} stands after ${list[index - 1]?.name}`)
  }
  return list
}

export function sortUnrecorded<Step extends { readonly version: number; readonly name: string }>(
  migrations: readonly Step[],
  recorded: ReadonlySet<string>,
  version: number,
): { readonly past: readonly Step[]; readonly next: readonly Step[] } {
  const unrecorded = migrations.filter(({ name }) => !recorded.has(name))
  return {
    past: unrecorded.filter((step) => step.version <= version),
    next: unrecorded.filter((step) => step.version > version),
  }
}

/**
 * Runs each new step in its own transaction, and all steps that older releases skipped in one transaction.
 * @param beforeFirst runs before the schema of an existing database changes
 * @throws AppError `database-newer` if the database needs a newer release; `database-mismatch` if skipped steps cannot be
 *   applied
 */
export function migrate(
  database: Sqlite,
  migrations: readonly Named<Migration>[],
  beforeFirst?: (version: number) => void,
): void {
  const newest = migrations.at(-1)?.version ?? 0
  const { version, min_safe_version } = readState(database)
  if (version > newest && min_safe_version > newest) throw new AppError('database-newer')
  const recorded = new Set(database.prepare('select name from schema_steps').pluck().all() as string[])
  const { past, next } = sortUnrecorded(migrations, recorded, version)
  const known = migrations.filter((step) => step.version <= version)
  const found = past.length === 0 ? null : stepsFound(database, known)
  if (version > 0 && (next.length > 0 || found?.isComplete === false)) beforeFirst?.(version)
  if (found !== null) applySkipped(database, known, found.missing)
  for (const step of next) database.transaction(() => run(database, step)).immediate()
}

function applySkipped(database: Sqlite, known: readonly Named<Migration>[], missing: ReadonlySet<string>): void {
  const work = database.transaction(() => {
    for (const step of known) {
      if (missing.has(step.name)) run(database, step)
      else record(database, step.name)
    }
    completeSchema(database, known)
  })
  try {
    work.immediate()
  } catch (error) {
    if (!isRejection(error)) throw error
    throw new AppError('database-mismatch', undefined, [], { cause: error })
  }
}

function isRejection(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code === 'SQLITE_ERROR' || code.startsWith('SQLITE_CONSTRAINT'))
}

function run(database: Sqlite, { name, version, minSafeVersion = version, up }: Named<Migration>): void {
  up(database)
  record(database, name)
  database
    .prepare('update schema_state set version = max(version, ?), min_safe_version = max(min_safe_version, ?)')
    .run(version, minSafeVersion)
}

function record(database: Sqlite, name: string): void {
  database.prepare('insert or ignore into schema_steps (name) values (?)').run(name)
}

function readState(database: Sqlite): { version: number; min_safe_version: number } {
  database.exec(`
    create table if not exists schema_state (id integer primary key check (id = 1), version integer not null, min_safe_version integer not null) strict;
    create table if not exists schema_steps (name text primary key) strict, without rowid;
    insert or ignore into schema_state (id, version, min_safe_version) values (1, 0, 0);`)
  return database.prepare('select version, min_safe_version from schema_state').get() as {
    version: number
    min_safe_version: number
  }
}
