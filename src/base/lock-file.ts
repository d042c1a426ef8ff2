import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Keeps references to the open databases, because a garbage-collected one would release its lock. */
const held = new Set<Database.Database>()

/**
 * Locks the file with SQLite's lock (fcntl, LockFileEx), which the system releases when the process ends. Blocks this thread
 * for up to `waitMs`.
 * @returns null if another connection still holds the lock after `waitMs`
 */
export function lockFile(path: string, waitMs = 0): { close(): void } | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite would create the file readable by other users. An existing file is not opened here, because closing it would drop a
  // lock that this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const lock = new Database(path, { timeout: waitMs })
  try {
    lock.exec('begin exclusive')
    held.add(lock)
    return {
      close: () => {
        held.delete(lock)
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    throw error
  }
}
