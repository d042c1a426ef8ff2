import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Keeps references, because a garbage-collected database would release its lock. */
const held = new Set<Database.Database>()

/**
 * SQLite's file lock (fcntl, LockFileEx): it ends with the process, even after kill -9. Waits in this thread.
 * @returns null if another process holds the lock
 */
export function lockFile(path: string, waitMs = 0): { close(): void } | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite would create the file readable by others. Opening an existing one here would drop this process's lock.
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
