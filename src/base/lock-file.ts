import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** One that is collected as garbage lets go of its lock. */
const held = new Set<Database.Database>()

/**
 * SQLite holds the lock through the operating system (fcntl, LockFileEx), so it ends with the process, also after kill -9,
 * and every path to the file finds it.
 *
 * @param waitMs for another process that has it and may be ending; blocks this thread
 * @returns null where another process has it
 */
export function lockFile(path: string, waitMs = 0): { close(): void } | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite would make it readable for others. Never opened where it exists: closing it would drop this process's lock.
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
