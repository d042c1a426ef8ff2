import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { syncFolder } from '#base/durable-file.ts'
import { systemKeychain } from '#base/keychain.ts'
import type { Log } from '#base/log.ts'
import { rename } from '#base/rename.ts'
import { AppError } from '#contract/errors.ts'
import type { Manifest } from './copy.ts'
import { blobFolder, blobsIn, manifestFile, manifestOf, manifestSchema, sha256 } from './copy.ts'
import { Mistake } from './mistake.ts'
import { databaseFile } from './place.ts'
import type { Settings } from './settings.ts'
import { storeKey } from './store-key.ts'

/** Puts a backup in place of no data: copied, looked at whole, and only then under the name the service opens. */
export async function restore(settings: Settings, log: Log, say: (line: string) => void, folder: string): Promise<number> {
  const from = resolve(folder)
  const data = resolve(settings.data)
  if (settings.database_url !== undefined)
    throw new Mistake('PostgreSQL is restored with its own tools (pg_restore, or base backups and WAL): see docs/operating.md.')
  if (existsSync(databaseFile(data))) throw new Mistake(`There is data in ${data}. Move it away first: nothing is overwritten.`)
  const told = readManifest(from)
  const { key_file, key_store } = settings
  const key = await storeKey({ data, key_file, key_store, isThere: true, keychain: systemKeychain(), log })
  const arriving = `${data}.restoring`
  rmSync(arriving, { recursive: true, force: true })
  try {
    copy(from, arriving)
    await compare(told, arriving, key)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    if (existsSync(blobFolder(arriving))) rename(blobFolder(arriving), blobFolder(data))
    rename(databaseFile(arriving), databaseFile(data))
    syncFolder(data)
  } finally {
    key.fill(0)
    rmSync(arriving, { recursive: true, force: true })
  }
  for (const { practice, events, broken_at, head = null } of told.chains) {
    const state = broken_at === null ? 'whole' : `broken at ${broken_at}, as it was when it was copied`
    say(`${practice}: ${events} events, ${state}${head === null ? '' : `; head ${head}`}`)
  }
  say(`restored as of ${told.made_at}`)
  return 0
}

type Chain = Manifest['chains'][number]

function readManifest(from: string): Manifest {
  const path = join(from, manifestFile)
  if (!existsSync(path)) throw new Mistake(`${from} holds no backup, or one that was not finished.`)
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}

function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  cpSync(databaseFile(from), databaseFile(to))
  if (existsSync(blobFolder(from))) cpSync(blobFolder(from), blobFolder(to), { recursive: true })
}

async function compare(told: Manifest, arrived: string, key: Uint8Array): Promise<void> {
  const damaged = new Mistake('The backup is damaged: what is in it is not what was put there.')
  if ((await sha256(databaseFile(arrived))) !== told.database_sha256 || blobsIn(arrived) !== told.blobs) throw damaged
  try {
    const found = await manifestOf(arrived, key)
    const isAsTold = told.chains.every((chain, at) => isSameChain(found.chains[at], chain))
    if (found.chains.length !== told.chains.length || !isAsTold) throw damaged
  } catch (error) {
    if (error instanceof AppError) throw new Mistake('The backup does not open with this key.')
    throw error
  }
}

/** A backup from before heads were sealed names none, and counts the broken event. */
function isSameChain(found: Chain | undefined, told: Chain): boolean {
  const { practice, events, broken_at, head } = told
  if (head === undefined) return found?.practice === practice && found.broken_at === broken_at
  return isDeepStrictEqual(found, { practice, events, broken_at, head })
}
