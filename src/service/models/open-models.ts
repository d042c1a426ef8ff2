import type { Clock } from '#base/clock.ts'
import { acrossPractices } from '../store/in-practice.ts'
import { listModels } from '../store/models.ts'
import type { Database } from '../store/tables.ts'
import { catalogue } from './known-models.ts'
import type { Catalogue } from './catalogue.ts'
import type { InstallTuning } from './install.ts'
import { OWN_PREFIX } from './import-models.ts'
import { openModelFolder, sweep } from './model-folder.ts'
import type { ModelFolder } from './model-folder.ts'
import type { TryModels, SelfTestPorts } from './try-out.ts'

export interface ModelOptions {
  readonly folder?: string
  readonly resources?: string
  readonly tryModels?: TryModels | null
  readonly catalogue?: Catalogue
  readonly tuning?: InstallTuning
}

export async function openModels(
  db: Database,
  clock: Clock,
  options: ModelOptions & { readonly folder: string },
): Promise<ModelParts> {
  const folder = openModelFolder(options.folder)
  const { resources, tryModels, tuning } = options
  const known = new Set((await listModels(db)).map(({ id }) => id))
  const awaited = await awaitedModels(db)
  const entries = options.catalogue ?? catalogue
  const isOfApp = (id: string): boolean => id.startsWith(OWN_PREFIX) || entries.some((entry) => entry.id === id)
  sweep(
    folder,
    (id) => !known.has(id) && isOfApp(id),
    (id) => awaited.has(id),
    clock.now(),
  )
  return {
    catalogue: entries,
    folder,
    selfTest: resources === undefined || !tryModels ? null : { clock, resources, tryModels },
    ...(tuning === undefined ? {} : { tuning }),
  }
}

async function awaitedModels(db: Database): Promise<ReadonlySet<string>> {
  const rows = await acrossPractices(db, (read) =>
    read
      .selectFrom('model_installs')
      .innerJoin('operations', 'operations.id', 'model_installs.operation_id')
      .select('model_id')
      .where('operations.status', 'in', ['queued', 'running'])
      .execute(),
  )
  return new Set(rows.map(({ model_id }) => model_id))
}

export interface ModelParts {
  readonly catalogue: Catalogue
  readonly folder: ModelFolder
  readonly selfTest: SelfTestPorts | null
  readonly tuning?: InstallTuning
}
