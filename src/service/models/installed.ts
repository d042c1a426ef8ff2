import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isErrorCode } from '#contract/errors.ts'
import type { ModelTask, ModelList, SpeechModel } from '#contract/model/speech-model.ts'
import type { InstalledModels } from '#engines/speech/port.ts'
import { installedModelOf, lastInstalls, listModels, type ModelRecord, setFiles, type StoredFile } from '../store/models.ts'
import type { Database } from '../store/tables.ts'
import { freeBytes, type ModelFolder, sumsOf } from './model-folder.ts'
import type { CatalogueEntry, Catalogue } from './catalogue.ts'
import os from 'node:os'
import type { OperationRow } from '../store/operations.ts'

export type ModelsNow = (db: Database) => Promise<InstalledModels>

/** Files with a changed modification time are hashed again. Using a damaged model throws `model-damaged`. */
export async function readInstalledModels(db: Database, folder: ModelFolder): Promise<InstalledModels> {
  const chosen = (await listModels(db)).filter((model) => model.chosen)
  return installedAs(folder, chosen, new Set((await damagedOf(db, folder, chosen)).map(({ id }) => id)))
}

export function installedAs(folder: ModelFolder, models: readonly ModelRecord[], damaged: ReadonlySet<string>): InstalledModels {
  const find = (task: ModelTask): ModelRecord | null => {
    const model = models.find((found) => found.task === task) ?? null
    if (model !== null && damaged.has(model.id))
      throw new AppError(
        'model-damaged',
        `${model.name}: a file changed after installation. Remove the model and install it again.`,
      )
    return model
  }
  const pathsOf = ({ id, files }: ModelRecord): Record<string, string> =>
    Object.fromEntries(files.map(({ role, name }) => [role, join(folder.pathOf(id), name)]))
  const only = (task: ModelTask) => (): string | null => {
    const model = find(task)
    return model === null ? null : (pathsOf(model)['model'] ?? null)
  }
  return {
    speech() {
      const model = find('recognition')
      return model?.kind ? { kind: model.kind, name: model.id, files: pathsOf(model) } : null
    },
    vad: only('vad'),
    segmentation: only('segmentation'),
    embedding: only('embedding'),
    denoiser: only('denoise'),
  }
}

export async function damagedOf(db: Database, folder: ModelFolder, models: readonly ModelRecord[]): Promise<ModelRecord[]> {
  const damaged: ModelRecord[] = []
  for (const model of models) if (!(await isWhole(db, folder, model))) damaged.push(model)
  return damaged
}

async function isWhole(db: Database, folder: ModelFolder, { id, files }: ModelRecord): Promise<boolean> {
  const now = await Promise.all(files.map((file) => lookAt(join(folder.pathOf(id), file.name), file)))
  const whole = now.filter((file) => file !== null)
  if (whole.length < files.length) return false
  if (whole.some((file, index) => file.mtime_ms !== files[index]?.mtime_ms)) await setFiles(db, id, whole)
  return true
}

async function lookAt(path: string, file: StoredFile): Promise<StoredFile | null> {
  if (!existsSync(path)) return null
  const { size, mtimeMs } = statSync(path)
  if (size !== file.bytes) return null
  if (mtimeMs === file.mtime_ms) return file
  return (await sumsOf(path, size)).sha256 === file.sha256 ? { ...file, mtime_ms: mtimeMs } : null
}

export type Arrived = Omit<ModelRecord, 'chosen' | 'self_test' | 'self_test_problem'>

export function arrivedAs(
  { id, name, task, kind, languages, rank }: CatalogueEntry,
  files: readonly StoredFile[],
  origin: 'source' | 'import',
  installed_at: string,
): Arrived {
  return { id, name, task, kind, languages, rank, files, origin, installed_at }
}

interface Here {
  readonly folder: ModelFolder
  readonly suggested: ReadonlySet<string>
  readonly records: ReadonlyMap<string, ModelRecord>
  readonly damaged: ReadonlySet<string>
  readonly installs: ReadonlyMap<string, OperationRow>
}

export async function modelList(
  db: Database,
  practice: string,
  parts: { readonly catalogue: Catalogue; readonly folder: ModelFolder },
  asked: { readonly language: string; readonly imports: boolean; readonly tests: boolean },
): Promise<ModelList> {
  const { catalogue, folder } = parts
  const memory_mb = Math.round(os.totalmem() / 1_048_576)
  const models = await listModels(db)
  const here: Here = {
    folder,
    suggested: recommended(catalogue, memory_mb, asked.language),
    records: new Map(models.map((model) => [model.id, model])),
    damaged: new Set((await damagedOf(db, folder, models)).map(({ id }) => id)),
    installs: await lastInstalls(db, practice),
  }
  const known = new Set(catalogue.map(({ id }) => id))
  const own = models.filter(({ id }) => !known.has(id)).map((model) => ({ ...ownEntry(model), ...standing(model.id, here) }))
  return {
    data: [...own, ...catalogue.map((entry) => ({ ...shownEntry(entry), ...standing(entry.id, here) }))],
    machine: { memory_mb, free_bytes: await freeBytes(folder.root), imports: asked.imports, tests: asked.tests },
  }
}

type Shown = Omit<SpeechModel, 'state' | 'installed' | 'operation' | 'failure' | 'kept_bytes' | 'recommended'>
type Standing = Omit<SpeechModel, keyof Shown>

function shownEntry({ rank: _rank, files: _files, listed_megabytes: megabytes, ...shown }: CatalogueEntry): Shown {
  return { ...shown, megabytes }
}

const unlisted = { licence: null, page: null, notes: null, memory_mb: null, speed_factor: null }

function ownEntry({ id, name, task, kind, languages, files }: ModelRecord): Shown {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000
  return { id, name, task, kind, languages, ...unlisted, megabytes }
}

function standing(id: string, { folder, suggested, records, damaged, installs }: Here): Standing {
  const record = records.get(id) ?? null
  const last = installs.get(id)
  const underWay = last?.status === 'queued' || last?.status === 'running' ? last.status : null
  return {
    recommended: suggested.has(id),
    state: stateOf(record, damaged.has(id), underWay),
    installed: record === null ? null : installedModelOf(record),
    operation: last !== undefined && underWay !== null ? { id: last.id, progress: last.progress } : null,
    failure:
      last?.status === 'failed' && record === null
        ? { code: isErrorCode(last.error_code) ? last.error_code : 'internal', detail: last.error_detail }
        : null,
    kept_bytes: folder.keptBytes(id),
  }
}

function stateOf(record: ModelRecord | null, isDamaged: boolean, underWay: 'queued' | 'running' | null): SpeechModel['state'] {
  if (underWay !== null) return underWay === 'queued' ? 'queued' : 'installing'
  if (record === null) return 'available'
  return isDamaged ? 'damaged' : 'installed'
}

const SHARE_OF_MEMORY = 0.25
const helpers: readonly ModelTask[] = ['vad', 'segmentation', 'embedding']

export function recommended(catalogue: Catalogue, memoryMb: number, language: string): ReadonlySet<string> {
  const spoken = catalogue.filter((entry) => entry.task === 'recognition' && speaks(entry, language))
  const fitting = spoken.filter(({ memory_mb }) => memory_mb !== null && memory_mb <= memoryMb * SHARE_OF_MEMORY)
  const smallest = spoken.toSorted((one, other) => (one.memory_mb ?? Infinity) - (other.memory_mb ?? Infinity)).slice(0, 1)
  const recogniser = best(fitting.length > 0 ? fitting : smallest)
  const others = helpers.map((task) => best(catalogue.filter((entry) => entry.task === task)))
  return new Set([recogniser, ...others].flatMap((entry) => (entry === undefined ? [] : [entry.id])))
}

function speaks({ languages }: Pick<CatalogueEntry, 'languages'>, language: string): boolean {
  return languages.length === 0 || languages.includes(language.split('-')[0]?.toLowerCase() ?? '')
}

const best = (entries: Catalogue): CatalogueEntry | undefined => entries.toSorted((one, other) => other.rank - one.rank)[0]
