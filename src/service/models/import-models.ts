import { readdirSync, statSync, createReadStream } from 'node:fs'
import { basename, extname, isAbsolute, join, dirname } from 'node:path'
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '#contract/errors.ts'
import type { ImportReport } from '#contract/model/speech-model.ts'
import { diskFailure } from '#base/durable-file.ts'
import { type Arrived, arrivedAs } from './installed.ts'
import { type ModelFolder, requireSpace, RESERVE_BYTES } from './model-folder.ts'
import type { ModelParts } from './open-models.ts'
import { recognise, onnxMetadata } from './own-model.ts'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'
import type { StoredFile } from '../store/models.ts'

interface Asked {
  readonly paths: readonly string[]
  readonly own_name: string | null
  readonly now: string
  readonly taken: ReadonlySet<string>
}

const DEEPEST = 3
const MAX_FILES = 2000
/** Rank of custom models. If the model in use is deleted, the highest-ranked installed model of the same task replaces it. */
const OWN_RANK = 45

export async function importModels(asked: Asked, parts: ModelParts, signal: AbortSignal) {
  signal.throwIfAborted()
  const files = asked.paths.flatMap((path) => filesUnder(path, DEEPEST))
  if (files.length > MAX_FILES)
    throw new AppError('model-unknown', 'This folder has too many files. Choose a folder that contains only the model.')
  if (asked.own_name !== null) return { arrived: [await importOwn(files, asked.own_name, asked, parts, signal)], refused: [] }
  const found = matchCatalogue(parts.catalogue, files)
  if (found.length === 0) throw new AppError('model-unknown', whyUnknown(files))
  const arrived: Arrived[] = []
  const refused: ImportReport['refused'] = []
  for (const one of found) {
    if (asked.taken.has(one.entry.id))
      refused.push({ file: one.entry.name, why: 'This model is already installed or being installed.' })
    else arrived.push(await importFound(one, asked.now, parts, signal))
  }
  const used = new Set(found.flatMap((one) => [...one.files.values()]))
  const left = files.filter((path) => !used.has(path) && extname(path).toLowerCase() === '.onnx')
  refused.push(...left.map((path) => ({ file: basename(path), why: 'This file doesn’t belong to a complete listed model.' })))
  return { arrived, refused }
}

async function importFound({ entry, files }: Found, now: string, { folder, tuning }: ModelParts, signal: AbortSignal) {
  const wishes = entry.files.map(({ role, name, sha256 }) => ({ role, name, sha256, path: files.get(name) ?? '' }))
  const stored = await copyIn(entry.id, wishes, folder, tuning?.reserve ?? RESERVE_BYTES, signal)
  return arrivedAs(entry, stored, 'import', now)
}

async function importOwn(
  files: readonly string[],
  name: string,
  { now, taken }: Asked,
  { folder, tuning }: ModelParts,
  signal: AbortSignal,
): Promise<Arrived> {
  const recognised = recognise(files)
  if (typeof recognised === 'string') throw new AppError('model-unknown', recognised)
  const { task, kind } = recognised
  const id = ownId(name, taken)
  const wishes = Object.entries(recognised.files).map(([role, path]) => ({
    role,
    path,
    name: `${role}${extname(path).toLowerCase()}`,
    sha256: null,
  }))
  const stored = await copyIn(id, wishes, folder, tuning?.reserve ?? RESERVE_BYTES, signal)
  return { id, name, task, kind, languages: [], rank: OWN_RANK, files: stored, origin: 'own', installed_at: now }
}

export const OWN_PREFIX = 'own-'

function ownId(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  for (let number = 1; ; number += 1) {
    const id = `${OWN_PREFIX}${plain || 'model'}${number === 1 ? '' : `-${number}`}`
    if (!taken.has(id)) return id
  }
}

function whyUnknown(files: readonly string[]): string {
  const recognised = recognise(files)
  if (typeof recognised === 'string') return `These files aren’t a listed model. ${recognised}`
  return 'These files aren’t a listed model, or they were modified. To import them as a custom model, enter a name.'
}

function filesUnder(path: string, depth: number): string[] {
  if (!isAbsolute(path)) throw new AppError('not-found', 'Enter the full path of the folder.')
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new AppError('not-found', 'This folder or file doesn’t exist.')
  if (!stats.isDirectory()) return stats.isFile() ? [path] : []
  if (depth === 0) return []
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .slice(0, MAX_FILES + 1)
    .flatMap((name) => filesUnder(join(path, name), depth - 1))
}

interface Found {
  readonly entry: CatalogueEntry
  readonly files: ReadonlyMap<string, string>
}

const TOLERANCE = 0.006

function matchCatalogue(catalogue: Catalogue, paths: readonly string[]): Found[] {
  const byFolder = Map.groupBy(paths, (path) => dirname(path))
  return [...byFolder.values()].flatMap((inFolder) => matchFolder(catalogue, inFolder))
}

function matchFolder(catalogue: Catalogue, paths: readonly string[]): Found[] {
  const byName = new Map(paths.map((path) => [basename(path), path]))
  const complete = catalogue.flatMap((entry): Found[] => {
    const files = entry.files.flatMap(({ name }): [string, string][] => {
      const path = byName.get(name)
      return path === undefined ? [] : [[name, path]]
    })
    return files.length === entry.files.length ? [{ entry, files: new Map(files) }] : []
  })
  const bySameFiles = Map.groupBy(complete, ({ files }) => [...files.keys()].toSorted().join('\n'))
  return [...bySameFiles.values()].flatMap((rivals) => oneOf(rivals, basename(dirname(paths[0] ?? ''))))
}

function oneOf(rivals: readonly Found[], folder: string): readonly Found[] {
  const named = rivals.filter(({ entry }) => folder.includes(entry.id) || folder === basename(new URL(entry.page).pathname))
  if (named.length === 1) return named
  return rivals.filter((found) => isOfListedLength(found))
}

function isOfListedLength({ entry, files }: Found): boolean {
  if (entry.files.every(({ bytes }) => bytes !== null)) return true
  const megabytes = [...files.values()].reduce((sum, path) => sum + statSync(path).size, 0) / 1_000_000
  return Math.abs(megabytes - entry.listed_megabytes) <= Math.max(0.5, entry.listed_megabytes * TOLERANCE)
}

interface Wish {
  readonly role: string
  readonly path: string
  readonly name: string
  /** Null if no checksum is published. The import then detects only unreadable .onnx files. */
  readonly sha256: string | null
}

export async function copyIn(id: string, wishes: readonly Wish[], folder: ModelFolder, reserve: number, signal: AbortSignal) {
  const from = `${id}.import`
  folder.dropIncoming(from)
  try {
    const incoming = folder.incomingOf(from)
    await requireSpace(
      incoming,
      wishes.reduce((sum, { path }) => sum + statSync(path).size, 0),
      reserve,
    )
    const files: StoredFile[] = []
    for (const wish of wishes) files.push(await copyOne(wish, join(incoming, wish.name), signal))
    folder.admit(id, from)
    return files
  } catch (error) {
    folder.dropIncoming(from)
    throw diskFailure(error) ?? error
  }
}

async function copyOne({ role, path, name, sha256: wanted }: Wish, to: string, signal: AbortSignal): Promise<StoredFile> {
  const sum = createHash('sha256')
  const file = await open(to, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      signal.throwIfAborted()
      sum.update(chunk as Buffer)
      await file.writeFile(chunk as Buffer)
      bytes += (chunk as Buffer).length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  const sha256 = sum.digest('hex')
  if (wanted !== null && sha256 !== wanted) throw new AppError('model-mismatch', `${name} doesn’t match the published file.`)
  if (wanted === null && extname(name) === '.onnx' && onnxMetadata(to) === null)
    throw new AppError('model-mismatch', `${name} is damaged, incomplete, or not a model file.`)
  return { role, name, bytes, sha256, checksum_from: wanted === null ? 'own' : 'catalogue', mtime_ms: statSync(to).mtimeMs }
}
