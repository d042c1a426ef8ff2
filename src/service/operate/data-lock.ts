import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Mistake } from './mistake.ts'

/**
 * Takes the data folder for this process. SQLite holds the lock through the operating system (fcntl, LockFileEx), so it
 * ends with the process, also after kill -9. The database itself is not locked: `backup` reads it while the service runs.
 *
 * @throws Mistake where another process has the folder
 */
export function lockData(data: string): { release(): void } {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const lock = new Database(join(data, 'service.lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Mistake(
      `Another process of the service is using ${data}. Stop it first. Several processes can only share a PostgreSQL database.`,
    )
  }
  return { release: () => void lock.close() }
}
