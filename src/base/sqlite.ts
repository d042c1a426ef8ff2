import { chmodSync, closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '#contract/errors.ts'
import { diskFailure, putInPlace, withFile } from './durable-file.ts'
import { keepSalt } from './page-format.ts'
import { attempt } from './control.ts'

export type Sqlite = Database.Database

/** The published types lack `key`, which only a build of better-sqlite3 with encryption has. */
type Keyed = Sqlite & { key?: (key: Buffer) => number }

const plainHeader = Buffer.from('SQLite format 3\0')
const oldestSafe = '3.51.3'

/**
 * Opens an encrypted database, or creates one. Checks the encryption, because stock better-sqlite3 silently ignores the key
 * pragma.
 * @throws AppError `not-encrypted`, `database-damaged` (also for a wrong key), `disk-full`, `disk-failed`
 */
export function openEncrypted(path: string, key: Uint8Array): Sqlite {
  try {
    if (!existsSync(path)) make(path, key)
    if (!statSync(path).isFile()) throw new AppError('database-damaged')
    closeToOthers(path)
    // The salt is read before SQLite opens the file: closing any descriptor later would drop the process's POSIX locks.
    const salt = refusePlain(path)
    const database = new Database(path, { fileMustExist: true })
    try {
      unlock(database, key)
      configure(database)
      proveEncrypted(database, path)
      keepSalt(path, salt)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw convert(error)
  }
}

/** Opens read-only, because closing a writable connection would checkpoint the WAL into a database that may be damaged. */
export function proveReadable(path: string, key: Uint8Array, isReadWhole: boolean): void {
  const journals = [`${path}-wal`, `${path}-shm`]
  refusePlain(path)
  const isJournaled = journals.some((journal) => existsSync(journal))
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    unlock(database, key)
    database.pragma('busy_timeout=5000')
    database.prepare('select count(*) from sqlite_schema').get()
    if (isReadWhole && !isIntact(database)) throw new AppError('database-damaged')
  } catch (error) {
    throw convert(error)
  } finally {
    database.close()
    // A read-only connection creates an empty WAL and cannot remove it.
    if (!isJournaled) for (const journal of journals) rmSync(journal, { force: true })
  }
}

export const openEmpty = (): Sqlite => new Database(':memory:')

const CHECKPOINT_MS = 60_000
const RETRY_MS = 1000

/** Empties the WAL every minute, or a second after a failed try, so that a damaged WAL loses few changes. */
export function checkpointOften(database: Sqlite): void {
  const journal = `${database.name}-wal`
  const isEmpty = (): boolean => (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) === 0
  const next = (ms: number): void => void setTimeout(checkpoint, ms).unref()
  const checkpoint = (): void => {
    if (!database.open) return
    const isDone = isEmpty() || (!database.inTransaction && isEmptied(database))
    next(isDone ? CHECKPOINT_MS : RETRY_MS)
  }
  next(CHECKPOINT_MS)
}

const isEmptied = (database: Sqlite): boolean =>
  attempt(() => (database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy === 0) ?? false

export function isIntact(database: Sqlite): boolean {
  try {
    return database.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    const converted = convert(error)
    if (converted instanceof AppError && converted.code === 'database-damaged') return false
    throw converted
  }
}

/** Uses VACUUM INTO, because `backup()` does not support encrypted databases. The copy gets its name only when complete. */
export function snapshot(database: Sqlite, path: string): void {
  const temporary = `${path}.new`
  try {
    makeEmpty(temporary)
    database.prepare('vacuum into ?').run(temporary)
    refusePlain(temporary)
    putInPlace(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw convert(error)
  }
}

export function convert(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || error instanceof AppError) return error
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new AppError('database-damaged', undefined, [], { cause: error })
  return diskFailure(error) ?? error
}

function make(path: string, key: Uint8Array): void {
  // A WAL without its database may hold records; a new file under this name could lose them.
  if (existsSync(`${path}-wal`)) throw new AppError('database-damaged')
  const temporary = `${path}.new`
  for (const leftover of [`${temporary}-wal`, `${temporary}-shm`]) rmSync(leftover, { force: true })
  makeEmpty(temporary)
  const database = new Database(temporary)
  try {
    unlock(database, key)
    configure(database)
    database.exec('create table _probe (x integer) strict; drop table _probe;')
  } finally {
    database.close()
  }
  refusePlain(temporary)
  putInPlace(temporary, path)
}

function makeEmpty(path: string): void {
  rmSync(path, { force: true })
  closeSync(openSync(path, 'wx', 0o600))
}

/** The files of an existing database may be readable by other users. */
function closeToOthers(path: string): void {
  if (process.platform === 'win32') return
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    if (((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0) chmodSync(file, 0o600)
}

function unlock(database: Keyed, key: Uint8Array): void {
  if (typeof database.key !== 'function') throw new AppError('not-encrypted', 'This SQLite library cannot encrypt.')
  database.pragma("cipher='sqlcipher'")
  // The file format of SQLCipher 4, which encrypts page 1 from its 17th byte on.
  database.pragma('legacy=4')
  const text = rawKey(key)
  try {
    if (database.key(text) !== 0) throw new AppError('not-encrypted')
  } finally {
    text.fill(0)
  }
}

/** Built as bytes, because a JavaScript string cannot be zeroed. */
function rawKey(key: Uint8Array): Buffer {
  const text = Buffer.alloc(4 + key.length * 2)
  text.write('raw:')
  for (const [index, byte] of key.entries()) {
    text[4 + index * 2] = hexDigits[byte >> 4]!
    text[5 + index * 2] = hexDigits[byte & 15]!
  }
  return text
}
const hexDigits = Buffer.from('0123456789abcdef')

function configure(database: Sqlite): void {
  database.pragma('journal_mode=WAL')
  // FULL: a committed transaction survives a power failure; on macOS this also needs F_FULLFSYNC.
  database.pragma('synchronous=FULL')
  database.pragma('fullfsync=1')
  database.pragma('checkpoint_fullfsync=1')
  database.pragma('foreign_keys=ON')
  // Sorts and temporary tables would otherwise spill to the disk in plaintext.
  database.pragma('temp_store=MEMORY')
  database.pragma('busy_timeout=5000')
  database.pragma('secure_delete=ON')
}

function proveEncrypted(database: Sqlite, path: string): void {
  const { version } = database.prepare('select sqlite_version() as version').get() as { version: string }
  if (version.localeCompare(oldestSafe, 'en', { numeric: true }) < 0)
    throw new AppError('not-encrypted', 'The SQLite library is too old to be trusted with these records.')
  database.prepare('select count(*) from sqlite_schema').get()
  const stranger = new Database(path, { readonly: true })
  try {
    stranger.prepare('select count(*) from sqlite_schema').get()
  } catch {
    return // Expected: the file cannot be read without the key.
  } finally {
    stranger.close()
  }
  throw new AppError('not-encrypted')
}

function refusePlain(path: string): Buffer {
  return withFile(path, 'r', (file) => {
    const header = Buffer.alloc(plainHeader.length)
    if (readSync(file, header, 0, header.length, 0) < header.length) throw new AppError('database-damaged')
    if (header.equals(plainHeader)) throw new AppError('not-encrypted')
    return header
  })
}
