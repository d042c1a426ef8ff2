import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { openEncrypted, isIntact } from '#base/sqlite.ts'
import { openSqliteStore } from '../store/open-store.ts'
import { Mistake } from './server-settings.ts'
import { databaseFile, type Say, storeKey, withStore } from './place.ts'
import { type ChainProblem, type ChainReport, verifyAudit } from '../store/read-audit.ts'
import { readSnapshot } from '../store/in-practice.ts'
import type { Database } from '../store/tables.ts'
import { isDeepStrictEqual } from 'node:util'
import { rename, syncFolder } from '#base/durable-file.ts'
import { systemKeychain } from '#base/keychain.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Settings } from './settings.ts'
import type { BlobOptions } from '../blobs/blobs.ts'

const chainSchema = z.object({
  practice: z.string(),
  events: z.int(),
  broken_at: z.int().nullable(),
  head: z.string().nullable().optional(),
})
const manifestSchema = z.object({
  made_at: z.iso.datetime(),
  database_sha256: z.string(),
  rows: z.record(z.string(), z.int()),
  blobs: z.int(),
  chains: z.array(chainSchema),
})
type Manifest = z.infer<typeof manifestSchema>

export const manifestFile = 'backup.json'
export const blobFolder = (data: string): string => join(data, 'blobs')

export async function manifestOf(folder: string, key: Uint8Array): Promise<Manifest> {
  const file = databaseFile(folder)
  const sqlite = openEncrypted(file, key)
  let rows: Record<string, number>
  try {
    if (!isIntact(sqlite)) throw new Mistake('The copy is damaged.')
    const names = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`
    const tables = sqlite.prepare(names)
    const counts = (tables.all() as { name: string }[]).map(({ name }) => {
      const { count } = sqlite.prepare(`select count(*) as count from "${name}"`).get() as { count: number }
      return [name, count] as const
    })
    rows = Object.fromEntries(counts)
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

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function blobsIn(folder: string): number {
  const blobs = blobFolder(folder)
  if (!existsSync(blobs)) return 0
  return readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

export async function restore(settings: Settings, log: Log, say: Say, folder: string): Promise<number> {
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

type ToldChain = Manifest['chains'][number]

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

/** Backups of older versions have no `head`, and their `events` can differ if the audit log is broken, so neither is compared. */
function isSameChain(found: ToldChain | undefined, told: ToldChain): boolean {
  const { practice, events, broken_at, head } = told
  if (head === undefined) return found?.practice === practice && found.broken_at === broken_at
  return isDeepStrictEqual(found, { practice, events, broken_at, head })
}

type Chain = ChainReport & { readonly practice: string }

export function verify(settings: Settings, log: Log, say: Say): Promise<number> {
  const noted = settings.at_least ?? []
  return withStore(settings, log, async (db) => {
    const chains = await chainsOf(db, new Set(noted))
    const lost = noted.filter((one) => !chains.some(({ found }) => found.includes(one)))
    for (const chain of chains) say(`${chain.practice}: ${described(chain)}`)
    for (const one of lost) say(`${one}: no chain holds this event. Events were removed or rewritten, or this is an older copy.`)
    say(limits)
    if (noted.length === 0) say(limitsWithoutNoted)
    return lost.length > 0 || chains.some(({ broken_at }) => broken_at !== null) ? 1 : 0
  })
}

export async function chainsOf(db: Database, noted: ReadonlySet<string> = new Set()): Promise<Chain[]> {
  // The import verifies practices that are still arriving, and removed ones have no audit log.
  const practices = await db.selectFrom('practices').select('id').where('state', 'in', ['open', 'closed']).orderBy('id').execute()
  const chains: Chain[] = []
  for (const { id } of practices)
    chains.push({ practice: id, ...(await readSnapshot(db, id, (read) => verifyAudit(read, id, noted))) })
  return chains
}

const problems: Readonly<Record<ChainProblem, string>> = {
  changed: 'it is not what was recorded, or its link was made without the key.',
  missing: 'it is missing, and later ones are there.',
  truncated: 'it and all after it are missing.',
  'beyond-head': 'it and later ones are after the sealed head, which was put back to an older one.',
  'before-first': 'events with lower numbers were added before it.',
  'no-head': 'the sealed head is missing, or was not sealed with this key for this practice.',
}

function described({ events, broken_at, problem, head, plain_through }: Chain): string {
  const plain = plain_through === 0 ? '' : `, the first ${plain_through} with plain hashes from before links had a key`
  if (problem === null) return `${events} events, whole${plain}; head ${head}`
  const end = head === null || problem === 'no-head' ? '' : ` The sealed head is ${head}.`
  return `broken at event ${broken_at}: ${problems[problem]}${end}`
}

const limits = 'Not detected: links made with the key of the store by someone who has it and no noted head contradicts.'
const limitsWithoutNoted =
  'Not detected without --at-least: an older copy put back with its head, or a practice removed whole. Note the heads elsewhere.'

export function audioStoreOf(settings: Settings, data: string): BlobOptions {
  const { s3_bucket: bucket, s3_access_key: accessKeyId, s3_secret_key: secretAccessKey } = settings
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return { kind: 'files', folder: blobFolder(data) }
  const { s3_endpoint: endpoint, s3_prefix: prefix, s3_region: region } = settings
  return {
    kind: 's3',
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(prefix === undefined ? {} : { prefix }),
  }
}
