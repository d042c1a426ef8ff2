import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, timestamp } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { ModelTask, SelfTestResult } from '#contract/model/speech-model.ts'
import { decodeWav } from '#engines/speech/decode-wav.ts'
import { type InstalledModels, SAMPLE_RATE } from '#engines/speech/port.ts'
import { acrossPractices } from '../store/in-practice.ts'
import { listModels, type ModelRecord } from '../store/models.ts'
import type { Database } from '../store/tables.ts'
import { catalogue } from './known-models.ts'
import type { Catalogue } from './catalogue.ts'
import type { InstallTuning } from './install.ts'
import { OWN_PREFIX } from './import-models.ts'
import { type ModelFolder, openModelFolder, sweep } from './model-folder.ts'
import { damagedOf, installedAs } from './installed.ts'

export interface ModelOptions {
  readonly folder?: string
  readonly resources?: string
  readonly tryModels?: TryModels | null
  readonly catalogue?: Catalogue
  readonly tuning?: InstallTuning
}

export async function openModels(db: Database, clock: Clock, options: ModelOptions & { readonly folder: string }) {
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

interface Ports {
  readonly db: Database
  readonly log: Log
  readonly models: ModelParts
}

type Tested = Pick<ModelRecord, 'self_test' | 'self_test_problem'>

const partners: Readonly<Record<ModelTask, readonly ModelTask[]>> = {
  recognition: ['vad'],
  vad: [],
  segmentation: ['embedding'],
  embedding: ['segmentation'],
  denoise: [],
}
const MAX_TEST = 300_000

export async function tryOut({ db, log, models }: Ports, model: Omit<ModelRecord, 'chosen' | keyof Tested>, signal: AbortSignal) {
  if (models.selfTest === null) return { self_test: null, self_test_problem: null }
  const chosen = (await listModels(db)).filter((other) => other.chosen && partners[model.task].includes(other.task))
  const damaged = await damagedOf(db, models.folder, chosen)
  const others = chosen.filter((other) => !damaged.includes(other))
  if (model.task === 'recognition' && others.length === 0) return failed(withoutDetector)
  const itself: ModelRecord = { ...model, chosen: true, self_test: null, self_test_problem: null }
  const tooLong = AbortSignal.timeout(MAX_TEST)
  try {
    const together = installedAs(models.folder, [itself, ...others], new Set())
    const either = AbortSignal.any([signal, tooLong])
    return { self_test: await selfTest(together, models.selfTest, either), self_test_problem: null }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    log.warn('models.self-test', { model: model.id, error: error instanceof AppError ? error.code : errorKind(error) })
    if (tooLong.aborted) return failed('The test took more than five minutes for a few seconds of speech.')
    return failed(error instanceof AppError && error.detail !== undefined ? error.detail : notLoaded)
  }
}

const failed = (problem: string): Tested => ({ self_test: null, self_test_problem: problem })

const notLoaded = 'The model couldn’t be loaded. It may need more memory than this computer has.'
const withoutDetector = 'Not tested yet, because the speech detection model isn’t installed.'

interface Trial {
  readonly seconds_taken: number
  readonly words: number | null
}

export type TryModels = (models: InstalledModels, sound: Float32Array, signal: AbortSignal) => Promise<Trial>

interface SelfTestPorts {
  readonly clock: Clock
  readonly resources: string
  readonly tryModels: TryModels
}

const sample = join('speech', 'self-test.wav')

async function selfTest(models: InstalledModels, ports: SelfTestPorts, signal: AbortSignal): Promise<SelfTestResult> {
  const sound = await soundOf(join(ports.resources, sample))
  const { seconds_taken, words } = await ports.tryModels(models, sound, signal)
  return { at: timestamp(ports.clock), seconds_of_sound: sound.length / SAMPLE_RATE, seconds_taken, words }
}

async function soundOf(path: string): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for await (const part of decodeWav(await readFile(path))) parts.push(part)
  const sound = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    sound.set(part, at)
    at += part.length
  }
  return sound
}
