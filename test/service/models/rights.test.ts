import { mkdirSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { Operation } from '#contract/model/operation.ts'
import { newKey } from '#base/aead.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { createServiceClient } from '#client/client.ts'
import { migrations0001To0008 } from '#service/store/migrations/0001-0008.ts'
import { listModels } from '#service/store/models.ts'
import { sqliteFlavour } from '#service/store/migrations/migration.ts'
import { openSqliteStore } from '#service/store/open-store.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from '../alone-kit.ts'
import { wavOf } from '../sound.ts'
import { startSource } from './misbehaving-source.ts'
import { files, openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { repositoryName, smallEntry } from './small-model.ts'

let kit: ModelKit | null = null
afterEach(async () => {
  await kit?.close()
  kit = null
})

test('a model at work is not removed; when the work is over it is', async () => {
  const speech = await startScriptedSpeech(['hang'])
  const settings = { address: speech.address, model: null, key: null, language: null }
  kit = await openModelKit({}, { options: { speech: () => settings } })
  const { client } = kit
  await kit.installed()
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  const { id } = (await client.call('transcribe', { body, preferAsync: true })).data as Operation
  await speech.arrived(1)
  const remove = () => client.call('removeModel', { params: { id: 'small' } })
  await expect(remove()).rejects.toEqual(expect.objectContaining({ code: 'model-in-use' }))
  expect((await kit.model()).state).toBe('installed')
  await client.call('cancelOperation', { params: { id } })
  expect((await remove()).status).toBe(200)
  speech.letGo({ status: 500 })
  await speech.close()
})

test('nor is one that is not chosen, while a transcript is written: it may have begun with it', async () => {
  const speech = await startScriptedSpeech(['hang'])
  const settings = { address: speech.address, model: null, key: null, language: null }
  const other = { ...smallEntry, id: 'other', name: 'Other one', rank: 20 }
  kit = await openModelKit({}, { written: [smallEntry, other], options: { speech: () => settings } })
  const { client } = kit
  await kit.installed()
  await kit.installed('other')
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  await client.call('transcribe', { body, preferAsync: true })
  await speech.arrived(1)
  for (const chosen of ['small', 'other']) {
    await client.call('chooseModel', { params: { id: chosen } })
    for (const id of ['small', 'other'])
      await expect(client.call('removeModel', { params: { id } })).rejects.toMatchObject({ code: 'model-in-use' })
  }
  speech.letGo({ status: 500 })
  await speech.close()
})

test('what is on its way is not removed from under itself', async () => {
  kit = await openModelKit()
  kit.source.will({ stallAfter: 1000 })
  const { id } = await kit.install()
  await kit.source.stalled()
  const remove = kit.client.call('removeModel', { params: { id: 'small' } })
  await expect(remove).rejects.toEqual(expect.objectContaining({ code: 'model-in-use' }))
  kit.source.letGo()
  expect((await kit.ended(id)).status).toBe('succeeded')
})

test('of a service alone, an owner reads the list of models and changes none of them', async () => {
  const { data, remove } = freshFolder()
  const service = await startAlone(data)
  const client = createServiceClient({ base_url: service.address, token: service.ownerKey ?? '', fetch })
  const { machine, data: models } = (await client.call('listModels', {})).data
  expect([machine.imports, machine.tests, models.length > 10]).toEqual([false, false, true])
  const reach = client.call('importModels', { body: { paths: ['/etc'] } })
  await expect(reach).rejects.toEqual(expect.objectContaining({ code: 'forbidden' }))
  await service.stop()
  remove()
})

test('no key of a practice has the service fetch, import, choose, test or remove a model', async () => {
  const source = await startSource({ [repositoryName]: files })
  kit = await openModelKit({}, { options: { caller: 'api-keys' } })
  const headers = { Authorization: `Bearer ${kit.ownerKey}` }
  const answer = (method: string, path: string, body?: object) => kit!.fetch(method, `/v1/models${path}`, body, headers)
  const asked = [
    await answer('POST', '/small/install', { mirror: source.address }),
    await answer('POST', '/no-such-model/install', { mirror: source.address }),
    await answer('POST', '/import', { paths: [kit.folder] }),
    await answer('POST', '/small/choose'),
    await answer('POST', '/small/test'),
    await answer('DELETE', '/small'),
  ]
  expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  expect(await asked[0]!.json()).toMatchObject({ detail: expect.stringContaining('npm run service -- models') })
  expect(source.asked).toEqual([])
  expect((await answer('GET', '')).status).toBe(200)
  await source.close()
})

test('an installation that somebody with a key asked an earlier release for fetches nothing', async () => {
  kit = await openModelKit()
  kit.source.will({ stallAfter: 1000 })
  const { id } = await kit.install()
  await kit.source.stalled()
  await kit.ask(`update operations set agent = replace(agent, '"source":"embedded"', '"source":"192.0.2.1"')`)
  const before = kit.source.asked.length
  await kit.reopen()
  expect(await kit.ended(id)).toMatchObject({ status: 'failed', problem: { code: 'forbidden' } })
  expect(kit.source.asked.length).toBe(before)
})

test('the same request under the same key again installs nothing a second time', async () => {
  kit = await openModelKit()
  const ask = () =>
    kit!.client.call('installModel', {
      params: { id: 'small' },
      body: { mirror: kit!.source.address },
      preferAsync: true,
      idempotencyKey: 'k',
    })
  const { id } = (await ask()).data as Operation
  await kit.ended(id)
  const before = kit.source.asked.length
  expect(await ask()).toMatchObject({ replayed: true, data: { id } })
  expect(kit.source.asked.length).toBe(before)
})

test('a store from before there were models opens with all it had, and no model', async () => {
  const { data: file, remove } = freshFolder()

  mkdirSync(file)
  const key = newKey()
  const before = openEncrypted(`${file}/service.db`, key)
  migrate(before, [
    {
      name: '0001-practice',
      version: 1,
      up: (database) => void database.exec(migrations0001To0008['0001-practice'].sql(sqliteFlavour)),
    },
  ])
  before.prepare("insert into practices values ('p', 'This laptop', 'enterprise', '2026-01-01T00:00:00.000Z')").run()
  before.close()
  const db = openSqliteStore(`${file}/service.db`, key)
  expect(await db.selectFrom('practices').selectAll().execute()).toMatchObject([
    { id: 'p', name: 'This laptop', plan: 'enterprise', created_at: '2026-01-01T00:00:00.000Z' },
  ])
  expect(await listModels(db)).toEqual([])
  await db.destroy()
  remove()
})
