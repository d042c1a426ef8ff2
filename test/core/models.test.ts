import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ModelList } from '#contract/model/speech-model.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { openService } from '#service/compose/open-service.ts'
import { readCatalogue } from '#service/models/known-models.ts'
import { type SourceServer, startSource } from '#test/service/models/misbehaving-source.ts'
import { files } from '#test/service/models/model-kit.ts'
import { quick, repositoryName, smallEntry } from '#test/service/models/small-model.ts'
import { coreKit, type CoreKit, type OpenCore } from './core-kit.ts'

let kit: CoreKit
let open: OpenCore
let source: SourceServer
afterEach(async () => {
  await open.core.close()
  await source.close()
  kit.remove()
})

const withModels: ServiceFactory = (options) =>
  openService({
    store: { kind: 'sqlite', file: options.file, key: options.key },
    audio: options.audio,
    speech: options.speech,
    clock: kit.ports.clock,
    log: kit.ports.log,
    models: { catalogue: readCatalogue([smallEntry]), tuning: quick },
    consentPolicy: 'enforced',
    caller: 'embedded',
  })

async function begin(): Promise<void> {
  kit = coreKit()
  source = await startSource({ [repositoryName]: files })
  open = await kit.open({ openService: withModels })
  await open.call('vault.create', {
    protection: 'passphrase',
    passphrase: 'four calm words here',
    therapist_name: 'Dana Okell',
    therapist_credential: null,
  })
  await open.call('settings.update', { model_mirror: source.address })
}

const stateOf = (list: ModelList): string | undefined => list.data[0]?.state
const told = (): ModelList[] =>
  kit.events.filter(({ name }) => name === 'models.changed').map(({ payload }) => payload as ModelList)

test('a window sees a model come in, and that it is there; nothing was fetched before it was asked for', async () => {
  await begin()
  expect(stateOf(await open.call('models.list', {}))).toBe('available')
  expect([source.asked, source.lists]).toEqual([[], []])
  source.will({ stallAfter: 1000 })
  await open.call('models.install', { id: 'small' })
  await source.stalled()
  await open.until(() => told().some((list) => stateOf(list) === 'installing'))
  source.letGo()
  await open.until(() => told().some((list) => stateOf(list) === 'installed'))
  expect((await open.call('models.list', {})).data[0]).toMatchObject({ state: 'installed', operation: null, failure: null })
})

test('stopped, it is available again; removed, its space is free', async () => {
  await begin()
  source.will({ stallAfter: 1000 })
  await open.call('models.install', { id: 'small' })
  await source.stalled()
  expect(stateOf(await open.call('models.cancel', { id: 'small' }))).toBe('available')
  await expect(open.call('models.cancel', { id: 'small' })).rejects.toMatchObject({ code: 'not-found' })
  await open.call('models.install', { id: 'small' })
  await open.until(async () => stateOf(await open.call('models.list', {})) === 'installed')
  expect(stateOf(await open.call('models.remove', { id: 'small' }))).toBe('available')
})

test('after a restart it goes on by itself, and what waits for it is told', async () => {
  await begin()
  source.will({ stallAfter: 300_000 }, { stallAfter: 1000 })
  await open.call('models.install', { id: 'small' })
  await source.stalled()
  await open.core.close()
  kit.events.length = 0
  open = await kit.open({ openService: withModels })
  await open.call('vault.unlock', { passphrase: 'four calm words here' })
  await source.stalled(2)
  await open.until(() => told().some((list) => stateOf(list) === 'installing'))
  source.letGo()
  await open.until(() => told().some((list) => stateOf(list) === 'installed'))
})

test('what failed is said on its line, in words', async () => {
  await begin()
  source.will('html page')
  await open.call('models.install', { id: 'small' })
  await open.until(async () => (await open.call('models.list', {})).data[0]?.failure !== null)
  expect((await open.call('models.list', {})).data[0]).toMatchObject({
    state: 'available',
    failure: { code: 'model-mismatch', detail: expect.stringContaining('web page') },
  })
})

test('files of this laptop are brought in, and unknown ones are refused with a reason', async () => {
  await begin()
  const unknown = open.call('models.import', { paths: [join(import.meta.dirname, 'vault')], own_name: null })
  await expect(unknown).rejects.toMatchObject({ code: 'model-unknown' })
})

test('who writes transcripts is a choice of its own; an address given before there was one is the choice', async () => {
  await begin()
  expect((await open.call('settings.get', {})).speech_engine).toBe('local')
  await open.call('settings.update', { speech_address: 'http://127.0.0.1:9/v1' })
  expect((await open.call('settings.get', {})).speech_engine).toBe('server')
  await open.call('settings.update', { speech_engine: 'none' })
  expect(await open.call('settings.get', {})).toMatchObject({ speech_engine: 'none', speech_address: 'http://127.0.0.1:9/v1' })
})
