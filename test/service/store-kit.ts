import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from '#base/aead.ts'
import { openEncrypted } from '#base/sqlite.ts'
import type { StoreOptions } from '#service/store/open-store.ts'
import { openStore } from '#service/store/open-store.ts'
import { startPostgres } from '#test/support/postgres.ts'
import type { Postgres } from '#test/support/postgres.ts'

export type StoreKind = StoreOptions['kind']

/** Where the service's suites keep their records; `AFTERWORD_TEST_STORE=postgres` runs them all on PostgreSQL. */
export const storeUnderTest: StoreKind = process.env['AFTERWORD_TEST_STORE'] === 'postgres' ? 'postgres' : 'sqlite'

/** A store of its own for one test, and a way to look into it. */
export interface TestStore {
  readonly options: StoreOptions
  /** On the disk, for what stands beside the records. */
  readonly folder: string
  /** As whoever runs the machine and has the file's key could ask it: past the service and past its policies. */
  ask<Row>(text: string): Promise<Row[]>
  remove(): Promise<void>
}

let server: Promise<Postgres> | null = null
/** Made once and copied: what a new store looks like. */
let blank: Promise<string> | null = null

/** One for each test file, gone with its process. */
export const postgresHere = (): Promise<Postgres> => (server ??= startPostgres())

export async function freshStore(kind: StoreKind = storeUnderTest): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-service-'))
  const key = newKey()
  if (kind === 'sqlite') return sqliteStore(folder, key)
  const postgres = await postgresHere()
  blank ??= blankStore(postgres)
  const url = await postgres.database(await blank)
  return {
    options: { kind: 'postgres', url, key },
    folder,
    ask: async (text) => {
      const client = await postgres.look(url)
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function blankStore(postgres: Postgres): Promise<string> {
  const url = await postgres.database()
  await (await openStore({ kind: 'postgres', url, key: newKey() })).destroy()
  return url
}

function sqliteStore(folder: string, key: Uint8Array): TestStore {
  const file = join(folder, 'service.db')
  return {
    options: { kind: 'sqlite', file, key },
    folder,
    ask: async <Row>(text: string): Promise<Row[]> => {
      const database = openEncrypted(file, key)
      try {
        if (/^\s*(?:select|with)/i.test(text)) return database.prepare(text).all() as Row[]
        database.exec(text)
        return []
      } finally {
        database.close()
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
