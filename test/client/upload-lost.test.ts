import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { UploadSource } from '#client/upload.ts'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { openKit } from '#test/service/service-kit.ts'
import { sha256, someAudio } from '#test/service/uploads/upload-kit.ts'

const kills = process.env['AFTERWORD_FAULTS'] === 'full' ? 50 : 1
const mostPart = 64 * 1024

function sourceOf(audio: Buffer): UploadSource {
  const read = async function* (start: number, end: number) {
    yield audio.subarray(start, end)
  }
  return { id: crypto.randomUUID(), session_id: '', bytes: audio.length, sha256: sha256(audio), read }
}

/** As if the last pieces had never reached the disk. */
function loseLast(blobs: string, id: string, count: number): void {
  const folder = join(blobs, id)
  for (const name of readdirSync(folder).toSorted().slice(-count)) rmSync(join(folder, name))
}

const isWhole = async (client: ServiceClient, { id }: UploadSource): Promise<boolean> =>
  (await client.call('getUpload', { params: { id } })).data.complete

test('a service that lost the last of it in the middle of an upload is sent that again', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const source = sourceOf(someAudio(600_000))
  const offsets: number[] = []
  const onOffset = (offset: number): void => {
    offsets.push(offset)
    if (offsets.length === 5) loseLast(join(dirname(kit.file), 'blobs'), source.id, 2)
  }
  expect(await kit.client.upload(source, { mostPart, onOffset })).toBe(true)
  expect(offsets.slice(4, 6)).toEqual([4 * mostPart, 2 * mostPart])
  expect(await isWhole(kit.client, source)).toBe(true)
})

test('one that keeps nothing is not sent to for ever', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const source = sourceOf(someAudio(600_000))
  let parts = 0
  const onOffset = (offset: number): void => {
    parts += 1
    if (offset > 0) loseLast(join(dirname(kit.file), 'blobs'), source.id, 1)
  }
  await expect(kit.client.upload(source, { mostPart, onOffset })).rejects.toMatchObject({ code: 'upload-moved-on' })
  expect(parts).toBeLessThan(30)
})

test('parts that are too large for what stands in front of the service become smaller, and stay so', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const sizes: number[] = []
  const gateway = async (request: Request): Promise<Response> => {
    if (request.method === 'PATCH') sizes.push((await request.clone().arrayBuffer()).byteLength)
    const isTooLarge = request.method === 'PATCH' && sizes.at(-1)! > 100_000
    return isTooLarge ? new Response('<html>', { status: 413, headers: { 'content-type': 'text/html' } }) : kit.handle(request)
  }
  const client = createServiceClient({ base_url: 'http://embedded.invalid/v1', fetch: gateway })
  const source = sourceOf(someAudio(900_000))
  expect(await client.upload(source, {})).toBe(true)
  expect(sizes.filter((size) => size > 100_000)).toEqual([256 * 1024, 128 * 1024])
  expect(await isWhole(kit.client, source)).toBe(true)
})

test('other sound under the name is not gone on with', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const [first, second] = [sourceOf(someAudio(300_000)), sourceOf(someAudio(300_000))]
  expect(await kit.client.upload(first, { mostPart, mayGoOn: () => false })).toBe(false)
  await expect(kit.client.upload({ ...second, id: first.id }, {})).rejects.toMatchObject({ code: 'gone' })
  const longer = { ...first, bytes: first.bytes + 1 }
  await expect(kit.client.upload(longer, {})).rejects.toMatchObject({ code: 'gone' })
  expect(await kit.client.upload(first, {})).toBe(true)
})

test('what is not what was announced is found out on the other side, and nothing is taken for sent', async () => {
  const kit = await openKit()
  onTestFinished(() => kit.close())
  const source = { ...sourceOf(someAudio(100_000)), sha256: sha256(Buffer.from('other sound')) }
  await expect(kit.client.upload(source, {})).rejects.toMatchObject({ code: 'checksum-mismatch' })
  await expect(kit.client.upload(source, {})).rejects.toMatchObject({ code: 'gone' })
})

test(`a service that is killed ${kills} times under an upload, and each time loses what it had not synced, gets all of it`, async () => {
  const { random, seed } = seededRandom()
  const folder = freshFolder()
  let service = await startAlone(folder.data)
  onTestFinished(async () => {
    await service.stop('SIGKILL')
    folder.remove()
  })
  const token = service.ownerKey!
  const source = sourceOf(someAudio(600_000 + kills * 200_000))
  for (let kill = 0; kill < kills; kill += 1) {
    const client = createServiceClient({ base_url: service.address, token, fetch })
    let left = 2 + Math.floor(random() * 4)
    const reached = Promise.withResolvers<void>()
    const mayGoOn = (): boolean => {
      left -= 1
      if (left === 0) reached.resolve()
      return true
    }
    const sending = client.upload(source, { mostPart, mayGoOn }).catch((error: unknown) => error)
    await reached.promise
    await service.stop('SIGKILL')
    await expect(sending, `AFTERWORD_SEED=${seed}`).resolves.toMatchObject({ code: 'service-unreachable' })
    // Nothing that was acknowledged may be lost; what was not may be there in part, which counts as nothing.
    service = await startAlone(folder.data)
  }
  const client = createServiceClient({ base_url: service.address, token, fetch })
  expect(await client.upload(source, {}), `AFTERWORD_SEED=${seed}`).toBe(true)
  expect(await isWhole(client, source)).toBe(true)
}, 3_600_000)
