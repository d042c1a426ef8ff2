import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { checkMirror } from '../models/source.ts'
import { importModels } from '../models/import-models.ts'
import { damagedOf, modelList } from '../models/installed.ts'
import { tryOut } from '../models/open-models.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { agentOf, type HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { InstallTask } from '../jobs/install-model.ts'
import {
  chooseModel,
  deleteModel,
  findModel,
  getModel,
  installedModelOf,
  listModels,
  putModel,
  setSelfTest,
} from '../store/models.ts'
import { forgetInstalls, lastInstalls, recordInstall } from '../store/models.ts'
import { insertOperation, isOver, isTranscribing } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'

type ModelRoutes = 'listModels' | 'installModel' | 'importModels' | 'chooseModel' | 'testModel' | 'removeModel'

export function modelHandlers(services: Services): HandlersOf<ModelRoutes> {
  const { db, models, closing } = services
  return {
    listModels: async ({ practice, query, caller }) => {
      const { is_operator: imports = false } = caller
      const asked = { language: query.language ?? 'en', imports, tests: imports && models.selfTest !== null }
      const data = await modelList(db, practice, models, asked)
      return async () => ({ status: 200, data, touched: [] })
    },
    installModel: installModel(services),
    importModels: importHandler(services),
    chooseModel: async ({ params, caller }) => {
      requireOperator(caller)
      await requireWhole(services, params.id)
      return async (write) => {
        await chooseModel(write, await getModel(write, params.id))
        return { status: 200, data: installedModelOf(await getModel(write, params.id)), touched: [params.id] }
      }
    },
    testModel: async ({ params, caller }) => {
      requireOperator(caller)
      if (models.selfTest === null) throw new AppError('engine-not-ready', 'There is no speech engine here to try a model with.')
      await requireWhole(services, params.id)
      const tested = await tryOut(services, await getModel(db, params.id), closing)
      return async (write) => {
        await setSelfTest(write, params.id, tested.self_test, tested.self_test_problem)
        return { status: 200, data: installedModelOf(await getModel(write, params.id)), touched: [params.id] }
      }
    },
    removeModel: removeModel(services),
  }
}

/** Models belong to the machine, which several practices may share. @throws AppError `forbidden` */
function requireOperator({ is_operator = false }: Caller): void {
  if (is_operator) return
  throw new AppError('forbidden', 'The operator of this service manages its models: npm run service -- models.')
}

async function requireWhole({ db, models }: Services, id: string): Promise<void> {
  const damaged = await damagedOf(db, models.folder, [await getModel(db, id)])
  if (damaged.length > 0) throw new AppError('model-damaged')
}

function installModel(services: Services): HandlersOf<ModelRoutes>['installModel'] {
  const { db, clock, models } = services
  return async (call) => {
    requireOperator(call.caller)
    const { params, body, practice, caller, requestId, now } = call
    const { id } = params
    if (!models.catalogue.some((entry) => entry.id === id)) throw new AppError('not-found')
    const mirror = body.mirror === null ? null : checkMirror(body.mirror)
    const before = await findModel(db, id)
    const isWhole = before !== null && (await damagedOf(db, models.folder, [before])).length === 0
    return async (write) => {
      const last = (await lastInstalls(write, practice)).get(id)
      if (last !== undefined && !isOver(last.status)) return { operation: last.id, touched: [id, last.id] }
      const installed = isWhole ? await findModel(write, id) : null
      if (installed !== null) return { status: 200, data: installedModelOf(installed), touched: [id] }
      const operation = newId(clock)
      const payload = JSON.stringify({ model_id: id, mirror } satisfies InstallTask)
      const agent = JSON.stringify({ agent: agentOf(caller), source: caller.source, request_id: requestId })
      const asked = { practice_id: practice, kind: 'install-model', route: 'installModel', payload, agent } as const
      await insertOperation(write, { id: operation, ...asked }, now)
      await recordInstall(write, operation, id)
      return { operation, touched: [id, operation] }
    }
  }
}

function importHandler(services: Services): HandlersOf<ModelRoutes>['importModels'] {
  const { db, models, closing } = services
  let last: Promise<unknown> = Promise.resolve()
  return async ({ body, caller, practice, now }) => {
    requireOperator(caller)
    // Run imports one at a time, because two could contain the same model.
    const turn = last.then(async () => {
      const taken = new Set([...(await listModels(db)).map(({ id }) => id), ...(await underWay(db, practice))])
      const { arrived, refused } = await importModels({ ...body, now, taken }, models, closing)
      const tested = []
      for (const model of arrived) tested.push({ ...model, ...(await tryOut(services, model, closing)) })
      return { tested, refused }
    })
    last = turn.catch(() => {})
    const { tested, refused } = await turn
    return async (write) => {
      for (const model of tested) await putModel(write, model)
      const imported = tested.map(({ id, name }) => ({ id, name }))
      return { status: 200, data: { imported, refused: [...refused] }, touched: imported.map(({ id }) => id) }
    }
  }
}

async function underWay(db: Database, practice: string): Promise<string[]> {
  return [...(await lastInstalls(db, practice))].flatMap(([id, { status }]) => (isOver(status) ? [] : [id]))
}

function removeModel(services: Services): HandlersOf<ModelRoutes>['removeModel'] {
  const { folder } = services.models
  return async ({ params: { id }, practice, caller }) => {
    requireOperator(caller)
    return async (write) => {
      const model = await findModel(write, id)
      const kept = folder.keptBytes(id)
      if (model === null && kept === 0 && !(await lastInstalls(write, practice)).has(id)) throw new AppError('not-found')
      if ((await underWay(write, practice)).includes(id))
        throw new AppError('model-in-use', 'It is being installed. Stop that first.')
      // Refuse for any model: a running transcription may use a model that is no longer the chosen one.
      if (model !== null && (await isTranscribing(write)))
        throw new AppError('model-in-use', 'A transcript is being written, perhaps with it. Wait for its end, or stop it first.')
      if (model !== null) await deleteModel(write, model)
      await forgetInstalls(write, id)
      folder.remove(id)
      folder.dropIncoming(id)
      const freed = model === null ? 0 : installedModelOf(model).bytes
      return { status: 200, data: { id, freed_bytes: freed + kept }, touched: [id] }
    }
  }
}
