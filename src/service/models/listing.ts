import os from 'node:os'
import { isErrorCode } from '#contract/errors.ts'
import type { ModelList, SpeechModel, ModelTask } from '#contract/model/speech-model.ts'
import { type ModelRecord, installedModelOf, lastInstalls, listModels } from '../store/models.ts'
import type { OperationRow } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import type { Catalogue, CatalogueEntry } from './catalogue-entry.ts'
import { freeBytes } from './model-folder.ts'
import { damagedOf } from './installed.ts'
import type { ModelFolder } from './model-folder.ts'

interface Here {
  readonly folder: ModelFolder
  readonly suggested: ReadonlySet<string>
  readonly records: ReadonlyMap<string, ModelRecord>
  readonly damaged: ReadonlySet<string>
  readonly installs: ReadonlyMap<string, OperationRow>
}

/** The catalogue and the person's own models, each with how it stands here. */
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

function shownEntry({
  id,
  name,
  task,
  kind,
  languages,
  licence,
  page,
  notes,
  memory_mb,
  speed_factor,
  ...rest
}: CatalogueEntry): Shown {
  return { id, name, task, kind, languages, licence, page, notes, memory_mb, speed_factor, megabytes: rest.listed_megabytes }
}

function ownEntry({ id, name, task, kind, languages, files }: ModelRecord): Shown {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000
  return {
    id,
    name,
    task,
    kind,
    languages,
    licence: null,
    page: null,
    notes: null,
    memory_mb: null,
    speed_factor: null,
    megabytes,
  }
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

/** The engine shares the machine with the app and whatever else is open. */
const shareOfMemory = 0.25
const helpers: readonly ModelTask[] = ['vad', 'segmentation', 'embedding']

/** The set that suits this machine and this language: one recogniser, and what finds speech and parts the voices. */
export function recommended(catalogue: Catalogue, memoryMb: number, language: string): ReadonlySet<string> {
  const spoken = catalogue.filter((entry) => entry.task === 'recognition' && speaks(entry, language))
  const fitting = spoken.filter(({ memory_mb }) => memory_mb !== null && memory_mb <= memoryMb * shareOfMemory)
  const smallest = spoken.toSorted((one, other) => (one.memory_mb ?? Infinity) - (other.memory_mb ?? Infinity)).slice(0, 1)
  const recogniser = best(fitting.length > 0 ? fitting : smallest)
  const others = helpers.map((task) => best(catalogue.filter((entry) => entry.task === task)))
  return new Set([recogniser, ...others].flatMap((entry) => (entry === undefined ? [] : [entry.id])))
}

function speaks({ languages }: Pick<CatalogueEntry, 'languages'>, language: string): boolean {
  return languages.length === 0 || languages.includes(language.split('-')[0]?.toLowerCase() ?? '')
}

const best = (entries: Catalogue): CatalogueEntry | undefined => entries.toSorted((one, other) => other.rank - one.rank)[0]
