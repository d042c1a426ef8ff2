import { join, resolve } from 'node:path'
import { systemClock, timestamp } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { checkMirror } from '../models/source.ts'
import { type Arrived, arrivedAs, damagedOf } from '../models/installed.ts'
import { catalogue } from '../models/known-models.ts'
import { importModels } from '../models/import-models.ts'
import { installFiles } from '../models/install.ts'
import { openModelFolder } from '../models/model-folder.ts'
import { type ModelParts, tryOut } from '../models/open-models.ts'
import { tryModels } from '#engines/speech/local/listening.ts'
import { acrossPractices, inPractice } from '../store/in-practice.ts'
import type { ModelRecord } from '../store/models.ts'
import { chooseModel, deleteModel, findModel, installedModelOf, listModels, putModel, setSelfTest } from '../store/models.ts'
import { isTranscribing } from '../store/operations.ts'
import type { Database, Write } from '../store/tables.ts'
import { Mistake } from './server-settings.ts'
import { type Say, withStore } from './place.ts'
import { resources, type Settings } from './settings.ts'

interface At {
  readonly db: Database
  readonly log: Log
  readonly say: Say
  readonly models: ModelParts
  readonly mirror: string | null
  readonly signal: AbortSignal
}

type Work = (at: At, word: string, name: string) => Promise<void>
type Run = (settings: Settings, log: Log, say: Say, word?: string, name?: string) => Promise<number>

export function modelCommands(own: Partial<Pick<ModelParts, 'catalogue' | 'tuning' | 'selfTest'>> = {}) {
  const at =
    (work: Work): Run =>
    (settings, log, say, word = '', name = '') =>
      withModels(settings, log, say, own, (found) => work(found, word, name))
  return {
    list: at(list),
    install: at(install),
    import: at(bringIn),
    choose: at(choose),
    test: at(test),
    remove: at(remove),
  }
}

function withModels(
  settings: Settings,
  log: Log,
  say: Say,
  own: Parameters<typeof modelCommands>[0],
  work: (at: At) => Promise<void>,
): Promise<number> {
  const engines = forkedEngines()
  const selfTest = {
    clock: systemClock,
    resources: resources(),
    tryModels: (...[tried, sound, signal]: TryArguments) => tryModels(engines, tried, sound, signal),
  }
  return withStore(settings, log, async (db, { data }) => {
    const stop = new AbortController()
    const stopped = (): void =>
      stop.abort(new AppError('cancelled', 'Stopped. To resume the download, run the same command again.'))
    process.once('SIGINT', stopped).once('SIGTERM', stopped)
    const { model_mirror } = settings
    try {
      const mirror = model_mirror === undefined ? null : checkMirror(model_mirror)
      const models = { catalogue, folder: openModelFolder(join(data, 'models')), selfTest, ...own }
      await work({ db, log, say, models, mirror, signal: stop.signal })
    } finally {
      process.off('SIGINT', stopped).off('SIGTERM', stopped)
    }
  })
}

type TryArguments = Parameters<NonNullable<ModelParts['selfTest']>['tryModels']>

const write = <Result>({ db }: At, work: (write: Write) => Promise<Result>): Promise<Result> =>
  inPractice(db, 'models of this machine', work)

async function list({ db, models, say }: At): Promise<void> {
  const installed = await listModels(db)
  const damaged = new Set((await damagedOf(db, models.folder, installed)).map(({ id }) => id))
  const records = new Map(installed.map((model) => [model.id, model]))
  const known = new Set(models.catalogue.map(({ id }) => id))
  for (const model of [...installed.filter(({ id }) => !known.has(id)), ...models.catalogue]) {
    const record = records.get(model.id)
    const state = record === undefined ? 'available' : stateOf(record, damaged.has(model.id))
    say([model.id.padEnd(36), model.task.padEnd(12), state.padEnd(20), model.name].join('  '))
  }
}

function stateOf({ chosen }: ModelRecord, isDamaged: boolean): string {
  if (isDamaged) return 'damaged'
  return chosen ? 'installed, in use' : 'installed'
}

async function install(at: At, id: string): Promise<void> {
  const { models, mirror, signal, say } = at
  const entry = models.catalogue.find((one) => one.id === id)
  if (entry === undefined) throw new Mistake(`There is no model ${id}. \`models\` lists them all.`)
  let shown = -1
  const onProgress = (share: number): void => {
    const percent = Math.floor(share * 10) * 10
    if (percent > shown) say(`${percent} %`)
    shown = Math.max(shown, percent)
  }
  const { folder, tuning } = models
  const files = await installFiles(entry, { folder, mirror, signal, onProgress, ...(tuning === undefined ? {} : { tuning }) })
  await admit(at, arrivedAs(entry, files, 'source', timestamp(systemClock)))
}

async function bringIn(at: At, path: string, name: string): Promise<void> {
  const { db, models, signal, say } = at
  const taken = new Set((await listModels(db)).map(({ id }) => id))
  const own_name = name === '' ? null : name
  const asked = { paths: [resolve(path)], own_name, now: timestamp(systemClock), taken }
  const { arrived, refused } = await importModels(asked, models, signal)
  for (const model of arrived) await admit(at, model)
  for (const { file, why } of refused) say(`${file}: ${why}`)
}

/** Record the model before testing it, because a starting service removes model folders without a record. */
async function admit(at: At, model: Arrived): Promise<void> {
  await write(at, (db) => putModel(db, { ...model, self_test: null, self_test_problem: null }))
  at.log.info('models.installed', { model: model.id })
  await tried(at, model)
  const { chosen } = await found(at, model.id)
  at.say(`${model.id} is installed${chosen ? ' and in use' : `; \`models choose ${model.id}\` puts it to use`}.`)
}

async function choose(at: At, id: string): Promise<void> {
  const model = await found(at, id)
  const damaged = await damagedOf(at.db, at.models.folder, [model])
  if (damaged.length > 0) throw new Mistake(`${id} is damaged. Remove it and install it again.`)
  await write(at, (db) => chooseModel(db, model))
  at.log.info('models.chosen', { model: id })
  at.say(`${id} is in use for ${model.task}.`)
}

async function test(at: At, id: string): Promise<void> {
  await tried(at, await found(at, id))
}

async function tried(at: At, model: Arrived): Promise<void> {
  const { self_test, self_test_problem } = await tryOut(at, model, at.signal)
  await setSelfTest(at.db, model.id, self_test, self_test_problem)
  if (self_test !== null)
    at.say(`Tested: ${self_test.seconds_of_sound.toFixed(1)} s of speech in ${self_test.seconds_taken.toFixed(1)} s.`)
  if (self_test_problem !== null) at.say(self_test_problem)
}

async function remove(at: At, id: string): Promise<void> {
  const { db, models, log, say } = at
  const model = await findModel(db, id)
  const partial = models.folder.keptBytes(id)
  if (model === null && partial === 0) throw new Mistake(`There is no model ${id} here.`)
  if (model !== null && (await acrossPractices(db, isTranscribing)))
    throw new Mistake('A transcription is running and may use this model. Wait until it has finished.')
  if (model !== null) await write(at, (changing) => deleteModel(changing, model))
  models.folder.remove(id)
  models.folder.dropIncoming(id)
  log.info('models.removed', { model: id })
  const bytes = partial + (model === null ? 0 : installedModelOf(model).bytes)
  say(`${id} is removed; ${Math.round(bytes / 1_000_000)} MB are free again.`)
}

async function found({ db }: At, id: string): Promise<ModelRecord> {
  const model = await findModel(db, id)
  if (model === null) throw new Mistake(`${id} is not installed. \`models\` lists what is.`)
  return model
}
