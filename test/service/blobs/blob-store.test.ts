import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { BlobRef, Blobs, BlobStore } from '#service/blobs/blobs.ts'
import { sealedBlobs, fileBlobStore } from '#service/blobs/blobs.ts'
import { s3BlobStore } from '#service/blobs/s3-blob-store.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { startS3 } from '#test/support/s3-server.ts'

interface Opened {
  readonly store: BlobStore
  /** Where a name stands on disk, for a thief to read and a failing disk to change. */
  path(name: string): string
  close(): Promise<void>
}

async function onFiles(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-blobs-'))
  return {
    store: fileBlobStore(join(folder, 'blobs')),
    path: (name) => join(folder, 'blobs', name),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function onS3(conditional: boolean): Promise<Opened> {
  const server = await startS3(conditional)
  const store = s3BlobStore(server.options)
  return {
    store,
    path: (name) => join(server.folder, 'audio', 'afterword', `${name}._S3rver_object`),
    close: async () => {
      store.close()
      await server.close()
    },
  }
}

const adapters = [
  ['files', onFiles],
  ['an S3 store', () => onS3(true)],
  ['an S3 store without conditional writes', () => onS3(false)],
] as const

describe.each(adapters)('blobs on %s', (_name, openAdapter) => {
  let opened: Opened
  let store: BlobStore
  let blobs: Blobs
  beforeAll(async () => {
    opened = await openAdapter()
    store = opened.store
    blobs = sealedBlobs(store, newKey())
  })
  afterAll(() => opened.close())

  test('what was put is there whole, and is never replaced', async () => {
    const name = `${newId()}/00000000`
    expect(await store.get(name)).toBeNull()
    expect(await store.put(name, Buffer.from('first'))).toBe(true)
    expect(await store.put(name, Buffer.from('second'))).toBe(false)
    expect(Buffer.from((await store.get(name))!).toString()).toBe('first')
  })

  test('a folder lists its own objects in order, and goes with all of them', async () => {
    const folder = newId()
    for (const number of ['00000001', '00000000', '00000010']) await store.put(`${folder}/${number}`, Buffer.from(number))
    expect(await store.list(folder)).toEqual(
      ['00000000', '00000001', '00000010'].map((number) => ({ name: `${folder}/${number}`, bytes: 8 })),
    )
    await store.remove(folder)
    expect(await store.list(folder)).toEqual([])
    await store.remove(folder)
  })

  test('bytes that were appended are read back, whole and in part', async () => {
    const blob = newBlob(blobs)
    const parts = [randomBytes(70_000), randomBytes(1), randomBytes(30_000)]
    await write(blobs, blob, parts)
    const whole = Buffer.concat(parts)
    expect(await blobs.state(blob.id)).toEqual({ bytes: whole.length, chunks: 3 })
    expect((await all(blobs.read(blob))).equals(whole)).toBe(true)
    for (const [start, end] of [
      [0, 10],
      [69_990, 70_005],
      [70_000, 70_001],
      [100_000, 200_000],
    ] as const)
      expect((await all(blobs.read(blob, start, end))).equals(whole.subarray(start, end))).toBe(true)
  })

  test('no store sees what it holds', async () => {
    const blob = newBlob(blobs)
    const said = Buffer.from('She said she had not slept since the funeral. '.repeat(40))
    await write(blobs, blob, [said])
    const held = readFileSync(opened.path(`${blob.id}/00000000`))
    expect(held.length).toBeGreaterThanOrEqual(said.length)
    expect(held.includes('funeral')).toBe(false)
  })

  test('of two who go on from one state, one is told that it was not first', async () => {
    const blob = newBlob(blobs)
    const state = await blobs.state(blob.id)
    expect(await blobs.append(blob, state, Buffer.from('one'), false)).toBe(true)
    expect(await blobs.append(blob, state, Buffer.from('two'), true)).toBe(false)
    expect(await blobs.state(blob.id)).toEqual({ bytes: 3, chunks: 1 })
  })

  test('a flipped bit, another place, a torn chunk, a cut end and another key are found out', async () => {
    const blob = newBlob(blobs)
    await write(blobs, blob, [Buffer.from('chunk one'), Buffer.from('chunk two')])
    const [first, second] = [0, 1].map((number) => opened.path(`${blob.id}/0000000${number}`)) as [string, string]
    const [one, two] = [readFileSync(first), readFileSync(second)]
    const flipped = Buffer.from(two)
    flipped[flipped.length - 20]! ^= 1
    for (const [left, right] of [
      [one, flipped],
      [two, one],
      [one, two.subarray(0, 31)],
      [one, two.subarray(0, 3)],
    ] as const) {
      writeFileSync(first, left)
      writeFileSync(second, right)
      await expect(all(blobs.read(blob))).rejects.toMatchObject({ code: 'recording-damaged' })
    }
    writeFileSync(first, one)
    writeFileSync(second, two)
    await expect(all(sealedBlobs(store, newKey()).read(blob))).rejects.toMatchObject({ code: 'recording-damaged' })
    expect((await all(blobs.read(blob))).toString()).toBe('chunk onechunk two')
    rmSync(second)
    await expect(all(blobs.read(blob))).rejects.toMatchObject({ code: 'recording-damaged' })
    await store.remove(blob.id)
    await expect(all(blobs.read(blob))).rejects.toMatchObject({ code: 'recording-damaged' })
  })
})

test('what a crash left half written in a folder is not taken for a chunk', async () => {
  const { store, path, close } = await onFiles()
  const blobs = sealedBlobs(store, newKey())
  const blob = newBlob(blobs)
  await write(blobs, blob, [Buffer.from('whole')])
  writeFileSync(`${path(`${blob.id}/00000001`)}.${newId()}.new`, 'torn')
  expect(await blobs.state(blob.id)).toEqual({ bytes: 5, chunks: 1 })
  expect((await all(blobs.read(blob))).toString()).toBe('whole')
  await blobs.remove(blob.id)
  expect(readdirSync(join(path(blob.id), '..'))).toEqual([])
  await close()
})

test.skipIf(noSmallDisk() !== null)('a full disk is said to be full, and keeps what it had acknowledged', async () => {
  const disk = smallDisk(512)
  const blobs = sealedBlobs(fileBlobStore(join(disk.folder, 'blobs')), newKey())
  const blob = newBlob(blobs)
  await blobs.append(blob, await blobs.state(blob.id), randomBytes(100_000), false)
  await expect(blobs.append(blob, await blobs.state(blob.id), randomBytes(1_000_000), true)).rejects.toMatchObject({
    code: 'disk-full',
  })
  expect(await blobs.state(blob.id)).toEqual({ bytes: 100_000, chunks: 1 })
  await blobs.append(blob, await blobs.state(blob.id), Buffer.from('end'), true)
  expect((await all(blobs.read(blob))).length).toBe(100_003)
  disk.remove()
})

test('an S3 store that is not there is said to be out of reach', async () => {
  const server = await startS3()
  const store = s3BlobStore(server.options)
  await server.stop()
  await expect(store.put('a/b', Buffer.from('x'))).rejects.toMatchObject({ code: 'storage-unreachable' })
  await expect(store.list('a')).rejects.toMatchObject({ code: 'storage-unreachable' })
  store.close()
  await server.close()
})

// s3rver itself fails to make a continuation token: its cipher is gone from OpenSSL 3.
test('a folder of more objects than one answer of an S3 store holds is listed whole', async () => {
  const asked: (string | null)[] = []
  const server = createServer((request, answer) => {
    const token = new URL(request.url!, 'http://s3').searchParams.get('continuation-token')
    asked.push(token)
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>1ueGc+/x==</NextContinuationToken>'
    const [name, rest] = token === null ? ['0', more] : ['1', '<IsTruncated>false</IsTruncated>']
    answer.end(`<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>audio</Name>${rest}
<Contents><Key>R&amp;D/many/${name}</Key><Size>7</Size><Owner><ID>1</ID></Owner></Contents></ListBucketResult>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = s3BlobStore({ endpoint, region: 'r', bucket: 'audio', prefix: 'R&D/', accessKeyId: 'a', secretAccessKey: 's' })
  expect(await store.list('many')).toEqual(['many/0', 'many/1'].map((name) => ({ name, bytes: 7 })))
  expect(asked).toEqual([null, '1ueGc+/x=='])
  store.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('an S3 store is told the SHA-256 of what it gets, and refuses what arrives otherwise', async () => {
  const server = await startS3()
  const wrong = await fetch(`${server.options.endpoint}/audio/x`, {
    method: 'PUT',
    body: 'arrived otherwise',
    headers: { 'x-amz-checksum-sha256': Buffer.alloc(32).toString('base64') },
  })
  expect(wrong.status).toBe(400)
  const store = s3BlobStore(server.options)
  expect(await store.put('x/y', Buffer.from('as it was sent'))).toBe(true)
  expect(server.checksums()).toBe(1)
  store.close()
  await server.close()
})

function newBlob(blobs: Blobs): BlobRef {
  const id = newId()
  return { id, sealed_key: blobs.newKey(id) }
}

async function write(blobs: Blobs, blob: BlobRef, parts: readonly Uint8Array[]): Promise<void> {
  for (const [index, part] of parts.entries())
    expect(await blobs.append(blob, await blobs.state(blob.id), part, index === parts.length - 1)).toBe(true)
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Says which folders are opened to be synced. */
const tell = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { openSync } = fs
fs.openSync = (path, ...more) => (typeof path === 'string' && console.log(path), openSync(path, ...more))
syncBuiltinESMExports()`

test.skipIf(process.platform === 'win32')('with the first blob each new folder is durable in the one above it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-blobs-'))
  const store = resolve(import.meta.dirname, '..', '..', '..', 'src', 'service', 'blobs', 'blobs.ts')
  const script = `const { fileBlobStore } = await import(${JSON.stringify(pathToFileURL(store).href)})
await fileBlobStore(${JSON.stringify(join(folder, 'blobs'))}).put('a/00000000', Buffer.from('x'))`
  const hook = `data:text/javascript,${encodeURIComponent(tell)}`
  const said = execFileSync(process.execPath, ['--import', hook, '--input-type=module', '-e', script], { encoding: 'utf8' })
  const synced = said.split('\n').filter((path) => path.startsWith(folder))
  expect(new Set(synced)).toEqual(new Set([folder, join(folder, 'blobs'), join(folder, 'blobs', 'a')]))
  rmSync(folder, { recursive: true, force: true })
})
