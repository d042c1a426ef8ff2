import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ImportReport } from '#contract/model/speech-model.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { sha256 } from './misbehaving-source.ts'
import { files, openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { onnxOf } from './onnx.ts'
import { quick, smallEntry } from './small-model.ts'

let kit: ModelKit
let stick: string
beforeEach(() => {
  stick = mkdtempSync(join(tmpdir(), 'afterword-stick-'))
})
afterEach(async () => {
  await kit.close()
  rmSync(stick, { recursive: true, force: true })
})

const onnx = onnxOf({ model_type: 'tdnn' }, 690_000)
const exact = {
  ...smallEntry,
  files: smallEntry.files.map((file) => {
    const bytes = files[file.name as keyof typeof files]
    return { ...file, bytes: bytes.length, sha256: sha256(bytes) }
  }),
}

function put(name: string, bytes: Uint8Array | string, folder = ''): void {
  mkdirSync(join(stick, folder), { recursive: true })
  writeFileSync(join(stick, folder, name), bytes)
}
const bring = async (own_name: string | null = null, paths = [stick]): Promise<ImportReport> =>
  (await kit.client.call('importModels', { body: { paths, own_name } })).data
const refusal = (code: string, words: RegExp) => expect.objectContaining({ code, detail: expect.stringMatching(words) })

test('a model of the catalogue is known by its names and its checksums, and nothing is fetched', async () => {
  kit = await openModelKit({}, { written: [exact] })
  for (const [name, bytes] of Object.entries(files)) put(name, bytes, 'small')
  expect(await bring()).toEqual({ imported: [{ id: 'small', name: 'Small one' }], refused: [] })
  expect(await kit.model()).toMatchObject({
    state: 'installed',
    installed: { origin: 'import', chosen: true, files: [{ checksum_from: 'catalogue' }, { checksum_from: 'catalogue' }] },
  })
  expect(readFileSync(join(kit.folder, 'small', 'model.onnx')).equals(files['model.onnx'])).toBe(true)
  expect(kit.source.asked).toEqual([])
  expect(await bring()).toEqual({ imported: [], refused: [{ file: 'Small one', why: expect.stringContaining('already') }] })
})

test('a file that is another one than the published is refused, and nothing of it stays', async () => {
  kit = await openModelKit({}, { written: [exact] })
  put(
    'model.onnx',
    files['model.onnx'].map((byte) => byte ^ 1),
  )
  put('tokens.txt', files['tokens.txt'])
  await expect(bring()).rejects.toEqual(refusal('model-mismatch', /doesn’t match the published file/))
  expect(kit.names()).toEqual(['.incoming'])
})

test('where no checksum is known here, length and form are looked at, and that is said', async () => {
  kit = await openModelKit()
  put('model.onnx', onnx)
  put('tokens.txt', files['tokens.txt'])
  expect((await bring()).imported).toEqual([{ id: 'small', name: 'Small one' }])
  expect((await kit.model()).installed?.files.map(({ checksum_from, sha256: sum }) => [checksum_from, sum])).toEqual([
    ['own', sha256(onnx)],
    ['own', sha256(files['tokens.txt'])],
  ])
})

test('two models with files of the same names are told apart by their folder, else by their length', async () => {
  const other = { ...smallEntry, id: 'large', name: 'Large one', listed_megabytes: 4, page: 'https://huggingface.co/owner/large' }
  kit = await openModelKit({}, { written: [smallEntry, other] })
  put('model.onnx', onnx, 'a')
  put('tokens.txt', 'a 0\n', 'a')
  put('model.onnx', onnx, 'large')
  put('tokens.txt', 'a 0\n', 'large')
  expect((await bring()).imported.map(({ id }) => id).toSorted()).toEqual(['large', 'small'])
})

test('files that are nothing known, or cut off, are refused in words; so is a folder that is not there', async () => {
  kit = await openModelKit()
  await expect(bring()).rejects.toEqual(refusal('model-unknown', /None of them is an \.onnx file/))
  put('holiday.onnx', 'not a model at all')
  await expect(bring()).rejects.toEqual(refusal('model-unknown', /holiday\.onnx is damaged/))
  put('holiday.onnx', onnx)
  truncateSync(join(stick, 'holiday.onnx'), onnx.length - 100)
  await expect(bring('Mine')).rejects.toEqual(refusal('model-unknown', /incomplete/))
  await expect(bring(null, [join(stick, 'nowhere')])).rejects.toEqual(refusal('not-found', /doesn’t exist/))
  await expect(bring(null, ['models'])).rejects.toEqual(refusal('not-found', /full path/))
  expect(kit.names()).toEqual(['.incoming'])
})

test('a model of one’s own needs a name, is labelled so, and its checksum is written down', async () => {
  kit = await openModelKit({}, { written: [] })
  put('my-words.onnx', onnx)
  put('my-words.tokens.txt', 'a 0\n')
  await expect(bring()).rejects.toEqual(refusal('model-unknown', /enter a name/))
  expect(await bring('Words of my own')).toEqual({
    imported: [{ id: 'own-words-of-my-own', name: 'Words of my own' }],
    refused: [],
  })
  expect(await kit.model('own-words-of-my-own')).toMatchObject({
    task: 'recognition',
    kind: 'tdnn_ctc',
    state: 'installed',
    installed: {
      origin: 'own',
      files: [{ name: 'model.onnx', sha256: sha256(onnx), checksum_from: 'own' }, { name: 'tokens.txt' }],
    },
  })
  expect((await bring('Words of my own')).imported[0]?.id).toBe('own-words-of-my-own-2')
})

const kinds: [string, Record<string, Uint8Array>, object][] = [
  [
    'a transducer',
    { 'encoder.int8.onnx': onnx, 'decoder.int8.onnx': onnx, 'joiner.int8.onnx': onnx, 'tokens.txt': Buffer.from('a 0\n') },
    { kind: 'transducer' },
  ],
  [
    'Whisper',
    {
      'tiny-encoder.onnx': onnxOf({ model_type: 'whisper-tiny' }),
      'tiny-decoder.onnx': onnx,
      'tiny-tokens.txt': Buffer.from('a 0\n'),
    },
    { kind: 'whisper' },
  ],
  [
    'Moonshine',
    {
      'preprocess.onnx': onnx,
      'encode.int8.onnx': onnx,
      'uncached_decode.int8.onnx': onnx,
      'cached_decode.int8.onnx': onnx,
      'tokens.txt': Buffer.from('a 0\n'),
    },
    { kind: 'moonshine' },
  ],
  [
    'NeMo CTC',
    { 'model.onnx': onnxOf({ model_type: 'EncDecCTCModelBPE' }), 'tokens.txt': Buffer.from('a 0\n') },
    { kind: 'nemo_ctc' },
  ],
  ['segmentation', { 'model.onnx': onnxOf({ model_type: 'pyannote-segmentation-3.0' }) }, { task: 'segmentation' }],
  ['an embedding', { 'voices.onnx': onnxOf({ framework: 'wespeaker', output_dim: '256' }) }, { task: 'embedding' }],
  ['noise reduction', { 'gtcrn.onnx': onnxOf({ model_type: 'gtcrn' }) }, { task: 'denoise' }],
]
test.each(kinds)('one’s own files are recognised: %s', async (_, given, expected) => {
  kit = await openModelKit({}, { written: [] })
  for (const [name, bytes] of Object.entries(given)) put(name, bytes)
  await bring('Mine')
  expect(await kit.model('own-mine')).toMatchObject(expected)
})

test('a disk without room is said before anything is copied', async () => {
  kit = await openModelKit({ tuning: { ...quick, reserve: 2 ** 52 } }, { written: [exact] })
  for (const [name, bytes] of Object.entries(files)) put(name, bytes)
  await expect(bring()).rejects.toEqual(refusal('disk-full', /are free/))
  expect(kit.names()).toEqual(['.incoming'])
})

const why = await unmet('test-data')
describe.skipIf(leftOut('models as they are published', why))('real models', () => {
  test('the real ones of the catalogue are known by their checksums, whatever folder they come in', async () => {
    kit = await openKitWithAll()
    for (const name of ['silero_vad_16k_op15.onnx', 'gtcrn_simple.onnx'])
      copyFileSync(testData('models', name), join(stick, name))
    const { imported } = await bring()
    expect(imported.map(({ id }) => id).toSorted()).toEqual(['gtcrn-simple', 'silero-vad-6.2'])
    expect((await kit.model('silero-vad-6.2')).installed?.files[0]?.checksum_from).toBe('catalogue')
  })
})

const openKitWithAll = async (): Promise<ModelKit> => {
  const { catalogue } = await import('#service/models/known-models.ts')
  return openModelKit({ catalogue })
}
