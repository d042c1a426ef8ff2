import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '#base/lock-file.ts'
import { Mistake } from './mistake.ts'

/**
 * Takes the data folder for this process. The database itself is not locked: `backup` reads it while the service runs.
 *
 * @throws Mistake where another process has the folder
 */
export function lockData(data: string): { release(): void } {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const lock = lockFile(join(data, 'service.lock'))
  if (lock === null)
    throw new Mistake(
      `Another process of the service is using ${data}. Stop it first. Several processes can only share a PostgreSQL database.`,
    )
  return { release: () => lock.close() }
}
