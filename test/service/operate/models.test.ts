import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#base/log.ts'
import { readCatalogue } from '#service/models/known-models.ts'
import type { Service } from '#service/compose/open-service.ts'
import { modelCommands } from '#service/operate/models.ts'
import { readSettings } from '#service/operate/read-settings.ts'
import { findCommand } from '#service/operate/run.ts'
import { openService } from '#service/compose/open-service.ts'
import { openPlace } from '#service/operate/place.ts'
import { systemClock } from '#base/clock.ts'
import { freshFolder, runService } from '../alone-kit.ts'
import { startSource } from '../models/misbehaving-source.ts'
import type { SourceServer } from '../models/misbehaving-source.ts'
import { files } from '../models/model-kit.ts'
import { onnxOf } from '../models/onnx.ts'
import { quick, repositoryName, smallEntry } from '../models/small-model.ts'

let folder: ReturnType<typeof freshFolder>
let source: SourceServer
let service: Service
/** A service that runs all the while. */
beforeEach(async () => {
  folder = freshFolder()
  source = await startSource({ [repositoryName]: files })
  const { store } = await openPlace(settings(), silentLog)
  const around = { audio: null, speech: () => null, clock: systemClock, log: silentLog, consentPolicy: 'asserted' } as const
  service = await openService({ ...around, store, caller: 'api-keys', plan: 'enterprise' })
})
afterEach(async () => {
  await service.close()
  await source.close()
  folder.remove()
})

const other = { ...smallEntry, id: 'other', name: 'Other one', rank: 5 }
const commands = modelCommands({ catalogue: readCatalogue([smallEntry, other]), tuning: quick, selfTest: null })
const settings = (more: string[] = []) => readSettings(['--data', folder.data, '--key-store', 'file', ...more], {}).settings!

async function run(name: keyof typeof commands, word = '', second = '', mirror = source.address): Promise<string[]> {
  // Of two connections in one thread neither can wait for the other; once it has answered, the service holds no lock.
  await answered()
  const said: string[] = []
  const code = await commands[name](settings(['--model-mirror', mirror]), silentLog, (line) => said.push(line), word, second)
  expect(code).toBe(0)
  return said
}

const answered = () =>
  service.fetch(new Request('http://x/v1/models', { headers: { Authorization: `Bearer ${service.ownerKey}` } }))

async function states(): Promise<Record<string, string>> {
  const lines = (await run('list')).map((line) => line.split(/ {2,}/))
  return Object.fromEntries(lines.map(([id, , state]) => [id!, state!]))
}

test('the operator installs a model from their own mirror, chooses and removes it while the service runs', async () => {
  expect(await states()).toEqual({ small: 'available', other: 'available' })
  expect((await run('install', 'small')).at(-1)).toBe('small is installed and in use.')
  expect(source.asked.length).toBeGreaterThan(0)
  expect((await run('install', 'other')).at(-1)).toContain('models choose other')
  expect(await states()).toEqual({ small: 'installed, in use', other: 'installed' })
  expect((await answered()).status).toBe(200)
  await run('choose', 'other')
  expect(await states()).toEqual({ small: 'installed', other: 'installed, in use' })
  await run('remove', 'other')
  expect(await states()).toEqual({ small: 'installed, in use', other: 'available' })
})

test('a model of the operator’s own comes in from a folder, under a name', async () => {
  const from = mkdtempSync(join(tmpdir(), 'afterword-models-'))
  writeFileSync(join(from, 'model.onnx'), onnxOf({ model_type: 'tdnn' }, 10_000))
  writeFileSync(join(from, 'tokens.txt'), files['tokens.txt'])
  await expect(run('import', '/no/such/folder')).rejects.toMatchObject({ detail: 'This folder or file doesn’t exist.' })
  expect(await run('import', from, 'Mine')).toEqual(['own-mine is installed and in use.'])
  expect(await states()).toMatchObject({ 'own-mine': 'installed, in use', small: 'available' })
  expect(source.asked).toEqual([])
  rmSync(from, { recursive: true })
})

test('a name that is none, a model that is not there, a mirror that is not encrypted: a sentence, and nothing is done', async () => {
  await expect(run('install', 'nothing')).rejects.toThrow('There is no model nothing.')
  for (const name of ['choose', 'test'] as const) await expect(run(name, 'small')).rejects.toThrow('small is not installed.')
  await expect(run('remove', 'small')).rejects.toThrow('There is no model small here.')
  await expect(run('install', 'small', '', 'http://mirror.example')).rejects.toMatchObject({ code: 'validation-failed' })
  expect(source.asked).toEqual([])
  expect(() => findCommand(['models', 'install'])).toThrow('say the id of the model')
  expect(() => findCommand(['models', 'choose', 'a', 'b'])).toThrow('a word too many')
})

test('the program lists the models of its catalogue', async () => {
  const { code, stdout } = await runService(['models', '--data', folder.data])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+ +recognition +available +\S/m)])
})
