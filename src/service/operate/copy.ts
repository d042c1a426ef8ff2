import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { openEncrypted, isIntact } from '#base/sqlite.ts'
import { openSqliteStore } from '../store/open-store.ts'
import { Mistake } from './mistake.ts'
import { databaseFile } from './place.ts'
import { chainsOf } from './verify.ts'

/** What a backup says of itself; what is restored must say the same. */
export const manifestSchema = z.object({
  made_at: z.iso.datetime(),
  database_sha256: z.string(),
  /** By table. */
  rows: z.record(z.string(), z.int()),
  blobs: z.int(),
  chains: z.array(
    z.object({
      practice: z.string(),
      events: z.int(),
      broken_at: z.int().nullable(),
      /** `SEQ:HASH`; missing in backups from before heads were sealed. */
      head: z.string().nullable().optional(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>

export const manifestFile = 'backup.json'
export const blobFolder = (data: string): string => join(data, 'blobs')

/**
 * Looked up in the copy itself, every page and every link of the audit log read.
 *
 * @throws Mistake where the copy is damaged
 */
export async function manifestOf(folder: string, key: Uint8Array): Promise<Manifest> {
  const file = databaseFile(folder)
  const sqlite = openEncrypted(file, key)
  let rows: Record<string, number>
  try {
    if (!isIntact(sqlite)) throw new Mistake('The copy is damaged.')
    const tables = sqlite.prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
    )
    const counts = (tables.all() as { name: string }[]).map(({ name }) => {
      const { count } = sqlite.prepare(`select count(*) as count from "${name}"`).get() as { count: number }
      return [name, count] as const
    })
    rows = Object.fromEntries(counts)
    // All of it into the one file whose checksum is taken.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.close()
  }
  const chains = await chainsIn(file, key)
  return { made_at: new Date().toISOString(), database_sha256: await sha256(file), rows, blobs: blobsIn(folder), chains }
}

async function chainsIn(file: string, key: Uint8Array): Promise<Manifest['chains']> {
  const db = openSqliteStore(file, key)
  try {
    const chains = await chainsOf(db)
    return chains.map(({ practice, events, broken_at, head }) => ({ practice, events, broken_at, head }))
  } finally {
    await db.destroy()
  }
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export function blobsIn(folder: string): number {
  const blobs = blobFolder(folder)
  if (!existsSync(blobs)) return 0
  return readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}
