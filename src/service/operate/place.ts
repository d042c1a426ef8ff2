import { existsSync, mkdirSync, chmodSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Keychain, systemKeychain } from '#base/keychain.ts'
import type { Log } from '#base/log.ts'
import { keysOf } from '#service/compose/open-service.ts'
import { openStore, type StoreOptions } from '../store/open-store.ts'
import type { Database } from '../store/tables.ts'
import { Mistake } from './server-settings.ts'
import type { Settings } from './settings.ts'
import { lockFile } from '#base/lock-file.ts'
import { systemClock } from '#base/clock.ts'
import { replaceFile } from '#base/durable-file.ts'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'

interface Place {
  readonly data: string
  readonly store: StoreOptions
  readonly key: Buffer
}

export const databaseFile = (data: string): string => join(data, 'service.db')

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

export async function findPlace(settings: Settings, log: Log): Promise<Place> {
  if (!(await hasRecords(settings)))
    throw new Mistake(
      settings.database_url === undefined ? `There is no data in ${settings.data}.` : 'There are no records in this database.',
    )
  return openPlace(settings, log)
}

interface Opened {
  readonly data: string
  readonly keys: ReturnType<typeof keysOf>
}

export type Say = (line: string) => void

export async function withStore(settings: Settings, log: Log, work: (db: Database, opened: Opened) => Promise<number | void>) {
  const { data, store, key } = await findPlace(settings, log)
  const db = await openStore(store)
  const keys = keysOf(key)
  key.fill(0)
  try {
    return (await work(db, { data, keys })) ?? 0
  } finally {
    for (const each of Object.values(keys)) each.fill(0)
    await db.destroy()
  }
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

/** Locks `service.lock`, not the database, so that `backup` can read the database while the service runs. */
export function lockData(data: string): { release(): void } {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const lock = lockFile(join(data, 'service.lock'))
  if (lock === null)
    throw new Mistake(
      `Another process of the service is using ${data}. Stop it first. Several processes can only share a PostgreSQL database.`,
    )
  return { release: () => lock.close() }
}

const keyPattern = /^[0-9a-f]{64}$/
const pointerSchema = z.object({ account: z.string().min(1) })
const pointerFile = 'store-key.json'

interface Asked {
  readonly data: string
  readonly key_file: string | undefined
  readonly key_store: 'auto' | 'keychain' | 'file'
  /** True if a store exists. Its key must then be found, because a new key could not open it. */
  readonly isThere: boolean
  readonly keychain: Keychain
  readonly log: Log
}

export async function storeKey(asked: Asked): Promise<Buffer> {
  const { data, key_file, isThere } = asked
  if (key_file !== undefined) {
    if (!existsSync(key_file)) throw new Mistake(`The key file ${key_file} is not there.`)
    return readKey(key_file)
  }
  const beside = `${data}.key`
  if (existsSync(beside)) return readKey(beside)
  const pointer = join(data, pointerFile)
  if (existsSync(pointer)) return fromKeychain(asked, pointer)
  if (isThere)
    throw new Mistake(
      `The key file ${beside} is gone; without it this data cannot be opened. Copy the exported key there, or name its file in AFTERWORD_SERVICE_KEY_FILE.`,
    )
  return (await newInKeychain(asked, pointer)) ?? newBeside(asked, beside)
}

export function writeKey(path: string, key: Uint8Array): void {
  replaceFile(path, `${Buffer.from(key).toString('hex')}\n`)
  chmodSync(path, 0o600)
}

export function readKey(path: string): Buffer {
  const text = readFileSync(path, 'utf8').trim()
  if (!keyPattern.test(text)) throw new Mistake(`The key file ${path} must hold 64 hexadecimal digits.`)
  return Buffer.from(text, 'hex')
}

async function fromKeychain({ keychain }: Asked, pointer: string): Promise<Buffer> {
  const { account } = pointerSchema.parse(JSON.parse(readFileSync(pointer, 'utf8')))
  const help = 'Unlock it, or name a file with the key (AFTERWORD_SERVICE_KEY_FILE).'
  try {
    const secret = await keychain.get(account)
    if (secret?.length === 32) return Buffer.from(secret)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Mistake(`The key of this data is in the system keychain, which does not answer (${error.code}). ${help}`)
  }
  throw new Mistake(`The key of this data was put into the system keychain and is no longer there. ${help}`)
}

async function newInKeychain({ keychain, key_store, log }: Asked, pointer: string): Promise<Buffer | null> {
  if (key_store === 'file') return null
  if (!(await keychain.available())) {
    if (key_store === 'auto') return null
    throw new Mistake('This system offers no keychain that can be used now. Unlock it, or take --key-store file.')
  }
  const key = randomBytes(32)
  const account = `service-store/${newId(systemClock)}`
  await keychain.set(account, key)
  const back = await keychain.get(account)
  if (back === null || !key.equals(back)) throw new Mistake('The system keychain did not give back what was put into it.')
  replaceFile(pointer, `${JSON.stringify({ account })}\n`)
  log.warn('key.in-keychain', { advice: 'Keep a copy of the key elsewhere: the command "keys export FILE" writes one.' })
  return key
}

function newBeside({ log }: Asked, path: string): Buffer {
  const key = randomBytes(32)
  writeKey(path, key)
  log.warn('key.in-file', { file: path, advice: 'Keep a copy of this file elsewhere, and keep others from reading it.' })
  return key
}
