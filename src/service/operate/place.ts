import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { systemKeychain } from '#base/keychain.ts'
import type { Keychain } from '#base/keychain.ts'
import type { Log } from '#base/log.ts'
import type { StoreOptions } from '../store/open-store.ts'
import { Mistake } from './server-settings.ts'
import type { Settings } from './settings.ts'
import { storeKey } from './store-key.ts'
import { lockFile } from '#base/lock-file.ts'

export interface Place {
  readonly data: string
  readonly store: StoreOptions
  readonly key: Buffer
}

export const databaseFile = (data: string): string => join(data, 'service.db')

/** Opens the data folder, creating it if new. @throws Mistake */
export async function openPlace(settings: Settings, log: Log, keychain: Keychain = systemKeychain()): Promise<Place> {
  const data = resolve(settings.data)
  const { key_file, key_store, database_url: url } = settings
  const isThere = await hasRecords(settings)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const key = await storeKey({ data, key_file, key_store, isThere, keychain, log })
  return {
    data,
    key,
    store: url === undefined ? { kind: 'sqlite', file: databaseFile(data), key } : { kind: 'postgres', url, key },
  }
}

/** For commands that need existing data. @throws Mistake */
export async function findPlace(settings: Settings, log: Log): Promise<Place> {
  if (!(await hasRecords(settings)))
    throw new Mistake(
      settings.database_url === undefined ? `There is no data in ${settings.data}.` : 'There are no records in this database.',
    )
  return openPlace(settings, log)
}

async function hasRecords({ data, database_url: url }: Settings): Promise<boolean> {
  if (url === undefined) return existsSync(databaseFile(resolve(data)))
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ is_there: boolean }>(`select to_regclass('practices') is not null as is_there`)
    if (rows[0]?.is_there !== true) return false
    return (await client.query('select id from practices limit 1')).rows.length > 0
  } catch (error) {
    throw new Mistake(`The database of DATABASE_URL cannot be reached (${(error as { code?: string }).code ?? 'no answer'}).`)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Locks the data folder for this process. The database stays unlocked, so that `backup` can read it while the service runs.
 * @throws Mistake if another process holds the lock
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
