import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replaceFile } from '#base/durable-file.ts'
import type { Log } from '#base/log.ts'
import { openEncrypted, snapshot } from '#base/sqlite.ts'
import { blobFolder, manifestFile, manifestOf } from './copy.ts'
import { Mistake } from './mistake.ts'
import { databaseFile, findPlace } from './place.ts'
import type { Settings } from './settings.ts'

/** A whole copy while the service goes on: the database as of one moment, still encrypted, then the sealed blobs. */
export async function backup(settings: Settings, log: Log, say: (line: string) => void, folder: string): Promise<number> {
  const to = resolve(folder)
  if (existsSync(to)) throw new Mistake(`${to} is there already; a backup goes into a new folder.`)
  if (settings.database_url !== undefined)
    throw new Mistake('PostgreSQL is backed up with its own tools (pg_dump, or base backups and WAL): see docs/operating.md.')
  const { data, key } = await findPlace(settings, log)
  mkdirSync(to, { recursive: true, mode: 0o700 })
  try {
    const source = openEncrypted(databaseFile(data), key)
    try {
      snapshot(source, databaseFile(to))
    } finally {
      source.close()
    }
    // After the database: every blob it names was there by then.
    if (existsSync(blobFolder(data))) cpSync(blobFolder(data), blobFolder(to), { recursive: true })
    const manifest = await manifestOf(to, key)
    replaceFile(join(to, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
    say(`${Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)} rows and ${manifest.blobs} blobs are in ${to}`)
    say('It opens with the key of the store alone. Keep that key elsewhere ("keys export FILE" writes it).')
    return 0
  } catch (error) {
    rmSync(to, { recursive: true, force: true })
    throw error
  } finally {
    key.fill(0)
  }
}
