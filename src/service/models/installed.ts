import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { ModelTask } from '#contract/model/speech-model.ts'
import type { InstalledModels } from '#engines/speech/local/models-port.ts'
import type { ModelRecord, StoredFile } from '../store/models.ts'
import { listModels, setFiles } from '../store/models.ts'
import type { Database } from '../store/tables.ts'
import { sumsOf } from './checksum.ts'
import type { ModelFolder } from './model-folder.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** Taken once for a piece of work, also inside a write. */
export type ModelsNow = (db: Database) => Promise<InstalledModels>

/**
 * What is installed and chosen, looked at anew: a file whose length or time is another than recorded is read through
 * again, so that nothing that was changed is ever loaded. Taken once for a piece of work.
 *
 * @throws AppError `model-damaged` when the damaged model is asked for
 */
export async function readInstalledModels(db: Database, folder: ModelFolder): Promise<InstalledModels> {
  const chosen = (await listModels(db)).filter((model) => model.chosen)
  return installedAs(folder, chosen, new Set((await damagedOf(db, folder, chosen)).map(({ id }) => id)))
}

/** These models and no others, for trying one of them out. */
export function installedAs(folder: ModelFolder, models: readonly ModelRecord[], damaged: ReadonlySet<string>): InstalledModels {
  const find = (task: ModelTask): ModelRecord | null => {
    const model = models.find((found) => found.task === task) ?? null
    if (model !== null && damaged.has(model.id))
      throw new AppError(
        'model-damaged',
        `${model.name}: a file was changed since it was installed. Remove it and install it again.`,
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

/** Null where it is gone or another. */
async function lookAt(path: string, file: StoredFile): Promise<StoredFile | null> {
  if (!existsSync(path)) return null
  const { size, mtimeMs } = statSync(path)
  if (size !== file.bytes) return null
  if (mtimeMs === file.mtime_ms) return file
  return (await sumsOf(path, size)).sha256 === file.sha256 ? { ...file, mtime_ms: mtimeMs } : null
}

/** A model whose files are in place; not chosen and not tested yet. */
export type Arrived = Omit<ModelRecord, 'chosen' | 'self_test' | 'self_test_problem'>

export function arrivedAs(
  { id, name, task, kind, languages, rank }: CatalogueEntry,
  files: readonly StoredFile[],
  origin: 'source' | 'import',
  installed_at: string,
): Arrived {
  return { id, name, task, kind, languages, rank, files, origin, installed_at }
}
