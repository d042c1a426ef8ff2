import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { aClient, agree, aSession, openKit, type ServiceKit } from '../service-kit.ts'
import { overHttp, sha256, someAudio } from './upload-kit.ts'

/** What was allowed when a request began, and is no longer so while its bytes still come. */

const tus = { 'Tus-Resumable': '1.0.0' }
const audio = someAudio(1_900_000)
/** So many bytes are a chunk and some. */
const first = 1_500_000

let kit: ServiceKit
let service: Awaited<ReturnType<typeof overHttp>>
let owner: ServiceClient
beforeEach(async () => {
  kit = await openKit({ caller: 'api-keys' })
  service = await overHttp((asked) => kit.handle(asked))
  owner = createServiceClient({ base_url: `http://127.0.0.1:${service.port}/v1`, token: kit.ownerKey!, fetch })
})
afterEach(async () => {
  await service.close()
  await kit.close()
})

const asOwner = (): Record<string, string> => ({ ...tus, Authorization: `Bearer ${kit.ownerKey}` })
const to = (path: string): string => `http://127.0.0.1:${service.port}${path}`

async function begin(fields: Record<string, string> = {}): Promise<string> {
  const told = Object.entries({ sha256: sha256(audio), ...fields }).map(([name, text]) => `${name} ${btoa(text)}`)
  const headers = { ...asOwner(), 'Upload-Length': String(audio.length), 'Upload-Metadata': told.join(',') }
  return (await fetch(to('/v1/uploads'), { method: 'POST', headers })).headers.get('location')!
}

const state = async (path: string) =>
  (await (await fetch(to(path), { headers: asOwner() })).json()) as { offset: number; complete: boolean }

/** All of the audio in one request, that stops after some of it until it may go on. */
async function sendSlowly(path: string, key: string, meanwhile: () => Promise<unknown>) {
  const headers = { ...tus, Authorization: `Bearer ${key}`, 'Content-Type': 'application/offset+octet-stream' }
  const sending = request(to(path), {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Length': audio.length },
  })
  const answered = new Promise<{ status: number; code: string }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', (response) => {
      const told = response.toArray().then((parts) => JSON.parse(parts.join('') || '{}') as { code?: string })
      resolve(told.then(({ code = '' }) => ({ status: response.statusCode!, code })))
    })
  })
  sending.write(audio.subarray(0, first))
  await vi.waitUntil(async () => (await state(path)).offset > 0, { timeout: 30_000 })
  const { offset } = await state(path)
  await meanwhile()
  sending.end(audio.subarray(first))
  return { answer: await answered, offset }
}

test('a key that is revoked while its request sends completes nothing; what was durable is gone on from with another', async () => {
  const { person_id } = (await owner.call('whoAmI', {})).data
  const { data: made } = await owner.call('createApiKey', {
    body: { name: 'Laptop', roles: ['clinician'], person_id: person_id! },
  })
  const path = await begin()
  const { answer, offset } = await sendSlowly(path, made.secret!, () => owner.call('revokeApiKey', { params: { id: made.id } }))
  expect(answer).toEqual({ status: 401, code: 'unauthenticated' })
  expect(await state(path)).toMatchObject({ offset, complete: false })
  const headers = { ...asOwner(), 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) }
  const rest = await fetch(to(path), { method: 'PATCH', headers, body: new Uint8Array(audio.subarray(offset)) })
  expect([rest.status, await state(path)]).toMatchObject([204, { offset: audio.length, complete: true }])
})

test('sound of a session that somebody takes back while it is sent ends there, and no byte of it is left', async () => {
  const client = await aClient(owner)
  const { id: session_id } = await aSession(owner, client.id)
  const { id } = await agree(owner, client.id)
  const path = await begin({ session_id })
  const revoked_at = new Date().toISOString()
  const takeBack = () => owner.call('revokeConsent', { params: { id }, body: { revoked_at } })
  const { answer } = await sendSlowly(path, kit.ownerKey!, takeBack)
  expect(answer).toEqual({ status: 410, code: 'gone' })
  await kit.reopen()
  await vi.waitFor(() => expect(readdirSync(join(dirname(kit.file), 'blobs'))).toEqual([]), { timeout: 30_000 })
})
