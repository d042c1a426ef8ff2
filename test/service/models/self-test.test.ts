import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { forkedEngines } from '#engines/engine-host.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { onnxOf } from './onnx.ts'

const resources = resolve(import.meta.dirname, '..', '..', '..', 'resources')
const why = await unmet('test-data')

describe.skipIf(leftOut('trying models out in the real engine', why))('self-test in the real engine', () => {
  let kit: ModelKit
  const stick = mkdtempSync(join(tmpdir(), 'afterword-stick-'))
  afterEach(async () => {
    await kit.close()
    rmSync(stick, { recursive: true, force: true })
    mkdirSync(stick)
  })
  const open = async (): Promise<void> => {
    const { catalogue } = await import('#service/models/known-models.ts')
    kit = await openModelKit({ catalogue, resources }, { options: { engines: forkedEngines() } })
  }
  const bring = (own_name: string | null, ...names: string[]) => {
    rmSync(stick, { recursive: true, force: true })
    mkdirSync(stick)
    for (const name of names) copyFileSync(testData('models', name), join(stick, name.split('/').at(-1) ?? ''))
    return kit.client.call('importModels', { body: { paths: [stick], own_name } })
  }

  test('a recogniser is tried out on the speech that comes with the app, and says how long it took', async () => {
    await open()
    await bring(null, 'silero_vad_16k_op15.onnx')
    await bring('Stand-in', 'standin/recogniser-standin.onnx', 'standin/recogniser-standin.tokens.txt')
    const { installed } = await kit.model('own-stand-in')
    expect(installed?.self_test_problem).toBeNull()
    expect(installed?.self_test).toMatchObject({ seconds_of_sound: expect.closeTo(6.3, 1), words: expect.any(Number) })
    const { data } = await kit.client.call('testModel', { params: { id: 'own-stand-in' } })
    expect(data.self_test?.seconds_taken).toBeGreaterThan(0)
  })

  test('a recogniser without the model that finds speech is not tried out on silence, and says so', async () => {
    await open()
    await bring('Stand-in', 'standin/recogniser-standin.onnx', 'standin/recogniser-standin.tokens.txt')
    const { installed } = await kit.model('own-stand-in')
    expect(installed).toMatchObject({
      self_test: null,
      self_test_problem: expect.stringContaining('speech detection model'),
    })
  })

  test('the models that part the voices are tried out together', async () => {
    await open()
    await bring('Turns', 'standin/segmentation-standin.onnx')
    await bring('Voices', 'standin/speaker-embedding-standin.onnx')
    expect((await kit.model('own-voices')).installed).toMatchObject({ self_test: { words: null }, self_test_problem: null })
  })

  test('a file that only looks like a model ends the engine’s process and nothing else; its line says so', async () => {
    await open()
    await bring(null, 'silero_vad_16k_op15.onnx')
    writeFileSync(join(stick, 'words.onnx'), onnxOf({ model_type: 'tdnn' }))
    writeFileSync(join(stick, 'tokens.txt'), 'a 0\n')
    rmSync(join(stick, 'silero_vad_16k_op15.onnx'))
    const { data } = await kit.client.call('importModels', { body: { paths: [stick], own_name: 'Broken' } })
    expect(data.imported).toEqual([{ id: 'own-broken', name: 'Broken' }])
    const { installed } = await kit.model('own-broken')
    expect(installed).toMatchObject({ self_test: null, self_test_problem: expect.stringMatching(/\w{4}/) })
    expect((await kit.model('silero-vad-6.2')).state).toBe('installed')
  })
})
