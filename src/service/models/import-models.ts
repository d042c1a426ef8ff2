import { readdirSync, statSync } from 'node:fs'
import { basename, extname, isAbsolute, join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { ImportReport } from '#contract/model/speech-model.ts'
import type { Arrived } from './arrived.ts'
import { arrivedAs } from './arrived.ts'
import { copyIn } from './copy-in.ts'
import { reserveBytes } from './disk-space.ts'
import { type Found, matchCatalogue } from './match.ts'
import type { ModelParts } from './model-parts.ts'
import { recognise } from './own-model.ts'

interface Asked {
  readonly paths: readonly string[]
  readonly own_name: string | null
  readonly now: string
  /** Ids that are installed, or on their way. */
  readonly taken: ReadonlySet<string>
}

const deepest = 3
const mostFiles = 2000
/** Own models stand between the small and the large ones of the catalogue. */
const ownRank = 45

/**
 * Models from files of this machine: those of the catalogue by their names and checksums, or one of the person's own.
 *
 * @throws AppError `model-unknown` where nothing of it could be taken, `not-found`, `model-mismatch`, `disk-full`, `disk-failed`; what `signal` was aborted with
 */
export async function importModels(
  asked: Asked,
  parts: ModelParts,
  signal: AbortSignal,
): Promise<{ arrived: Arrived[]; refused: ImportReport['refused'] }> {
  signal.throwIfAborted()
  const files = asked.paths.flatMap((path) => filesUnder(path, deepest))
  if (files.length > mostFiles)
    throw new AppError('model-unknown', 'There are too many files in this folder. Choose the one with the model alone.')
  if (asked.own_name !== null) return { arrived: [await importOwn(files, asked.own_name, asked, parts, signal)], refused: [] }
  const found = matchCatalogue(parts.catalogue, files)
  if (found.length === 0) throw new AppError('model-unknown', whyUnknown(files))
  const arrived: Arrived[] = []
  const refused: ImportReport['refused'] = []
  for (const one of found) {
    if (asked.taken.has(one.entry.id)) refused.push({ file: one.entry.name, why: 'It is installed already, or on its way.' })
    else arrived.push(await importFound(one, asked.now, parts, signal))
  }
  const used = new Set(found.flatMap((one) => [...one.files.values()]))
  const left = files.filter((path) => !used.has(path) && extname(path).toLowerCase() === '.onnx')
  refused.push(
    ...left.map((path) => ({ file: basename(path), why: 'It belongs to no model of the catalogue that is here whole.' })),
  )
  return { arrived, refused }
}

async function importFound(
  { entry, files }: Found,
  now: string,
  { folder, tuning }: ModelParts,
  signal: AbortSignal,
): Promise<Arrived> {
  const wishes = entry.files.map(({ role, name, sha256 }) => ({ role, name, sha256, path: files.get(name) ?? '' }))
  const stored = await copyIn(entry.id, wishes, folder, tuning?.reserve ?? reserveBytes, signal)
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
  const stored = await copyIn(id, wishes, folder, tuning?.reserve ?? reserveBytes, signal)
  return { id, name, task, kind, languages: [], rank: ownRank, files: stored, origin: 'own', installed_at: now }
}

function ownId(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  for (let number = 1; ; number += 1) {
    const id = `own-${plain || 'model'}${number === 1 ? '' : `-${number}`}`
    if (!taken.has(id)) return id
  }
}

function whyUnknown(files: readonly string[]): string {
  const recognised = recognise(files)
  if (typeof recognised === 'string') return `These files are no model of the catalogue. ${recognised}`
  return 'These files are no model of the catalogue, or not in the form it is published in. Give them a name to bring them in as a model of your own.'
}

/** @throws AppError `not-found` */
function filesUnder(path: string, depth: number): string[] {
  if (!isAbsolute(path)) throw new AppError('not-found', 'Give the whole path of the folder, from the top.')
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new AppError('not-found', 'There is no such folder or file.')
  if (!stats.isDirectory()) return stats.isFile() ? [path] : []
  if (depth === 0) return []
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .slice(0, mostFiles + 1)
    .flatMap((name) => filesUnder(join(path, name), depth - 1))
}
