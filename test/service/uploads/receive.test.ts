import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { BlobRef, Blobs } from '#service/blobs/blobs.ts'
import { sealedBlobs, fileBlobStore } from '#service/blobs/blobs.ts'
import { uploadLocker } from '#service/uploads/tus.ts'
import { receive } from '#service/uploads/complete.ts'
import { someAudio } from './upload-kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-receive-'))
const audio = someAudio(3_000_000)
let blobs: Blobs
let blob: BlobRef
beforeEach(() => {
  blobs = sealedBlobs(fileBlobStore(folder), newKey())
  const id = newId()
  blob = { id, sealed_key: blobs.newKey(id) }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* from(offset: number, parts: number, end?: Error): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part += 1) {
    const at = offset + part * 70_000
    if (at < audio.length) yield audio.subarray(at, at + 70_000)
  }
  if (end !== undefined) throw end
}

const taking = (offset: number) => ({ blobs, blob, offset, size: audio.length, checksum: null, requireAllowed: async () => {} })

async function whole(): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of blobs.read(blob)) parts.push(part)
  return Buffer.concat(parts)
}

test('a line that breaks keeps all that came over it', async () => {
  const cut = new Error('the line broke')
  await expect(receive(from(0, 20, cut), taking(0))).rejects.toBe(cut)
  expect(await blobs.state(blob.id)).toEqual({ bytes: 1_400_000, chunks: 2 })
  await receive(from(1_400_000, 100), taking(1_400_000))
  expect((await whole()).equals(audio)).toBe(true)
})

test('bytes for a place where the audio does not end any more are not taken', async () => {
  await receive(from(0, 3), taking(0))
  await expect(receive(from(0, 3), taking(0))).rejects.toMatchObject({ code: 'upload-moved-on' })
  await expect(receive(from(500_000, 3), taking(500_000))).rejects.toMatchObject({ code: 'upload-moved-on' })
  expect(await blobs.state(blob.id)).toEqual({ bytes: 210_000, chunks: 1 })
})

test('one request at a time: the second asks the first to end, waits, and gives up in the end', async () => {
  const locker = uploadLocker(50)
  const order: string[] = []
  const never = new AbortController().signal
  const [first, second, third, other] = ['a', 'a', 'a', 'b'].map((id) => locker.newLock(id))
  await first!.lock(never, () => {
    order.push('first is asked to end')
    setImmediate(() => void first!.unlock())
  })
  await other!.lock(never, () => {})
  await second!.lock(never, () => void order.push('second is asked to end'))
  await expect(third!.lock(never, () => {})).rejects.toMatchObject({ code: 'still-running' })
  expect(order).toEqual(['first is asked to end', 'second is asked to end'])
  await second!.unlock()
  await third!.lock(never, () => {})
})

test('of two that send the same bytes at once one is told that it moved on, and the audio is whole', async () => {
  const both = await Promise.allSettled([receive(from(0, 100), taking(0)), receive(from(0, 100), taking(0))])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'upload-moved-on' } })
  expect((await whole()).equals(audio)).toBe(true)
})
