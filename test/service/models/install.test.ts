import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { sha256 } from './misbehaving-source.ts'
import type { Mischief } from './misbehaving-source.ts'
import { files, openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { quick, smallEntry } from './small-model.ts'

let kit: ModelKit
afterEach(() => kit.close())

const whole = ['.incoming', 'small', 'small/model.onnx', 'small/tokens.txt']
const last = files['model.onnx'].length

function expectWhole(): void {
  expect(kit.names()).toEqual(whole)
  for (const [name, bytes] of Object.entries(files))
    expect(sha256(readFileSync(join(kit.folder, 'small', name)))).toBe(sha256(bytes))
}

test('a model is fetched, checked against the list of its source, and recorded with what the list said', async () => {
  kit = await openModelKit()
  expect(await kit.model()).toMatchObject({ state: 'available', installed: null, operation: null, recommended: true })
  expect(kit.source.asked).toEqual([])
  expect(await kit.installed()).toMatchObject({
    kind: 'install-model',
    status: 'succeeded',
    progress: 1,
    result: { id: 'small' },
  })
  expect(await kit.model()).toMatchObject({
    state: 'installed',
    kept_bytes: 0,
    installed: {
      origin: 'source',
      chosen: true,
      bytes: last + files['tokens.txt'].length,
      files: [
        { name: 'model.onnx', bytes: last, sha256: sha256(files['model.onnx']), checksum_from: 'source' },
        { name: 'tokens.txt', bytes: 8, sha256: sha256(files['tokens.txt']), checksum_from: 'source' },
      ],
    },
  })
  expectWhole()
})

test('asked for again while it comes, it comes once; asked for when it is there, nothing is fetched', async () => {
  kit = await openModelKit()
  kit.source.will({ stallAfter: 1000 })
  const { id } = await kit.install()
  await kit.source.stalled()
  expect((await kit.install()).id).toBe(id)
  expect(await kit.model()).toMatchObject({ state: 'installing', operation: { id } })
  kit.source.letGo()
  await kit.ended(id)
  const before = kit.source.asked.length
  const again = await kit.client.call('installModel', { params: { id: 'small' }, body: {} })
  expect([again.status, (again.data as { id: string }).id, kit.source.asked.length]).toEqual([200, 'small', before])
})

test('a checksum of the catalogue counts more than the list, which is then not asked for', async () => {
  const exact = smallEntry.files.map((file) => {
    const bytes = files[file.name as keyof typeof files]
    return { ...file, bytes: bytes.length, sha256: sha256(bytes) }
  })
  kit = await openModelKit({}, { written: [{ ...smallEntry, files: exact }] })
  expect((await kit.installed()).status).toBe('succeeded')
  expect(kit.source.lists).toEqual([])
  expect((await kit.model()).installed?.files.map(({ checksum_from }) => checksum_from)).toEqual(['catalogue', 'catalogue'])
})

test('cut off at many places, it goes on from there and asks for no byte twice', async () => {
  kit = await openModelKit()
  const cuts = [1, 70_001, 3, 200_000, 90_000].map((cutAfter): Mischief => ({ cutAfter }))
  kit.source.will(...cuts)
  const kept: number[] = []
  const part = join(kit.folder, '.incoming', 'small', 'model.onnx.part')
  kit.source.eachTime(() => kept.push(existsSync(part) ? statSync(part).size : 0))
  expect((await kit.installed()).status).toBe('succeeded')
  expectWhole()
  const starts = kit.source.asked.slice(0, cuts.length + 1).map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]))
  expect(starts).toEqual(kept.slice(0, cuts.length + 1))
  expect(starts.at(-1)).toBeGreaterThan(0)
})

const mended: [string, Mischief[]][] = [
  [
    'a source that sends us on to where the file is',
    [{ status: 302, headers: { location: '/owner/small/resolve/main/model.onnx' } }],
  ],
  ['a server that ignores ranges', [{ cutAfter: 300_000 }, 'ignores range']],
  ['a server that serves another range than it was asked for', [{ cutAfter: 300_000 }, 'another range']],
  ['a server that stands still', [{ stallAfter: 300_000 }, 'honest']],
  ['a busy server that says when to come again', [{ status: 429, headers: { 'retry-after': '0' } }, { status: 503 }]],
  ['a server in trouble', [{ status: 500 }, { status: 502 }]],
  ['a range that cannot be satisfied', [{ cutAfter: 300_000 }, { status: 416 }]],
  ['a weak ETag', ['weak etag', { cutAfter: 300_000 }]],
]
test.each(mended)('%s: in the end the right file is there', async (_, steps) => {
  kit = await openModelKit({ tuning: { ...quick, idleMs: 300 } })
  kit.source.will(...steps)
  expect((await kit.installed()).status).toBe('succeeded')
  expectWhole()
})

const refused: [string, Mischief[], string, RegExp][] = [
  ['a web page', ['html page'], 'model-mismatch', /web page/],
  ['another length', ['other length'], 'model-mismatch', /wrong size/],
  ['wrong bytes', ['wrong bytes'], 'model-mismatch', /checksum/],
  ['not there', [{ status: 404 }], 'download-failed', /doesn’t have/],
  ['not allowed', [{ status: 403 }], 'download-failed', /refused/],
  ['a proxy that wants a password', [{ status: 407 }], 'download-failed', /proxy/],
  ['come again tomorrow', [{ status: 429, headers: { 'retry-after': '86400' } }], 'download-failed', /1440 minutes/],
  [
    'sent on without encryption',
    [{ status: 302, headers: { location: 'http://example.invalid/model' } }],
    'download-failed',
    /unencrypted/,
  ],
  [
    'sent round in circles',
    Array.from({ length: 6 }, (): Mischief => ({ status: 302, headers: { location: '/owner/small/resolve/main/model.onnx' } })),
    'download-failed',
    /too many times/,
  ],
  ['cut again and again', Array.from({ length: 4 }, (): Mischief => ({ cutAfter: 0 })), 'download-failed', /several times/],
]
test.each(refused)('%s: said in words, nothing half-installed, and a second attempt works', async (_, steps, code, words) => {
  kit = await openModelKit()
  kit.source.will(...steps)
  const operation = await kit.installed()
  expect(operation).toMatchObject({ status: 'failed', problem: { code, detail: expect.stringMatching(words) } })
  expect(await kit.model()).toMatchObject({ state: 'available', installed: null, failure: { code } })
  expect(kit.names().filter((name) => !name.startsWith('.incoming'))).toEqual([])
  expect((await kit.installed()).status).toBe('succeeded')
  expect((await kit.model()).failure).toBeNull()
  expectWhole()
})

test('pieces of two different files are noticed by their checksum and fetched anew', async () => {
  kit = await openModelKit()
  // The file changes while it comes and nobody says so; then the right one is back.
  kit.source.will({ cutAfter: 300_000 }, 'wrong bytes', 'honest')
  const operation = await kit.installed()
  expect(operation.status).toBe('succeeded')
  expectWhole()
})

test('a source whose file changed against its own list is refused', async () => {
  kit = await openModelKit()
  kit.source.will({ cutAfter: 300_000 }, 'changes file')
  expect(await kit.installed()).toMatchObject({ status: 'failed', problem: { code: 'model-mismatch' } })
  expect(kit.names().filter((name) => name.includes('model.onnx'))).toEqual([])
})

test('stopped, nothing is left of it; the next attempt begins at the first byte', async () => {
  kit = await openModelKit()
  kit.source.will({ stallAfter: 300_000 })
  const { id } = await kit.install()
  await kit.source.stalled()
  await kit.client.call('cancelOperation', { params: { id } })
  await expect.poll(() => kit.names(), { timeout: 20_000 }).toEqual(['.incoming'])
  expect(await kit.model()).toMatchObject({ state: 'available', failure: null, kept_bytes: 0 })
  expect((await kit.installed()).status).toBe('succeeded')
})

test('closed in the middle, it goes on by itself at the next start, from the bytes that are here', async () => {
  kit = await openModelKit()
  kit.source.will({ stallAfter: 400_000 })
  const { id } = await kit.install()
  await kit.source.stalled()
  await expect.poll(async () => (await kit.model()).kept_bytes, { timeout: 20_000 }).toBeGreaterThan(100_000)
  await kit.reopen()
  expect((await kit.ended(id)).status).toBe('succeeded')
  expect(kit.source.asked[1]?.range).toMatch(/^bytes=[1-9]\d+-$/)
  expectWhole()
})

test('files of others in the folder of models stay; what is left of a model without a record goes', async () => {
  kit = await openModelKit()
  const place = (...names: string[]): string => join(kit.folder, ...names)
  for (const name of ['whisper', 'small']) mkdirSync(place(name), { recursive: true })
  for (const path of [place('readme.txt'), place('whisper', 'track.mp3'), place('small', 'model.onnx')]) writeFileSync(path, 'x')
  await kit.reopen()
  expect(kit.names()).toEqual(['.incoming', 'readme.txt', 'whisper', 'whisper/track.mp3'])
})

test('a source that gives no checksum is not fetched from', async () => {
  const address = 'https://github.com/owner/small/releases/download/v1/model.onnx'
  kit = await openModelKit(
    {},
    { written: [{ ...smallEntry, files: [{ role: 'model', name: 'model.onnx', address, bytes: null, sha256: null }] }] },
  )
  expect(await kit.installed()).toMatchObject({ status: 'failed', problem: { code: 'download-failed' } })
  expect(kit.source.asked.map(({ path }) => path)).toEqual(['/repos/owner/small/releases/tags/v1'])
})

test('a model that is not in the catalogue, and a mirror without encryption, are refused at once', async () => {
  kit = await openModelKit()
  const unknown = kit.client.call('installModel', { params: { id: 'unheard-of' }, body: {} })
  await expect(unknown).rejects.toEqual(expect.objectContaining({ code: 'not-found' }))
  const open = kit.client.call('installModel', { params: { id: 'small' }, body: { mirror: 'http://mirror.example' } })
  await expect(open).rejects.toEqual(
    expect.objectContaining({ code: 'validation-failed', fields: [expect.objectContaining({ pointer: '/mirror' })] }),
  )
})
