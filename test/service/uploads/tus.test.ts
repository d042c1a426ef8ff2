import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { seededRandom } from '#test/crash/seeded-random.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { aClient, agree, aSession, openKit, sessionOgg } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { breakingLine, overHttp, send, sha256, someAudio } from './upload-kit.ts'

const cuts = process.env['AFTERWORD_FAULTS'] === 'full' ? 1000 : 12
const tus = { 'Tus-Resumable': '1.0.0' }
const octets = { ...tus, 'Content-Type': 'application/offset+octet-stream' }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function aKit(options: Partial<ServiceOptions> = {}): Promise<ServiceKit> {
  const kit = await openKit(options)
  opened.push(() => kit.close())
  return kit
}

async function begin(kit: ServiceKit, bytes: Buffer, headers: Record<string, string> = {}): Promise<string> {
  const response = await kit.fetch('POST', '/v1/uploads', undefined, {
    ...tus,
    'Upload-Length': String(bytes.length),
    ...headers,
  })
  expect(response.status).toBe(201)
  return response.headers.get('location')!
}

const patch = (kit: ServiceKit, at: string, offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
  kit.fetch('PATCH', at, bytes, { ...octets, 'Upload-Offset': String(offset), ...headers })

const checksum = (bytes: Buffer): string => `sha256 ${createHash('sha256').update(bytes).digest('base64')}`
const metadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

test(`a line that breaks ${cuts} times at any byte brings the same bytes, at most one chunk sent again for each`, async () => {
  const kit = await aKit()
  const service = await overHttp((request) => kit.handle(request))
  opened.push(service.close)
  const { random, seed } = seededRandom()
  const chunkSize = 64 * 1024
  let sent = 0
  let broken = 0
  while (broken < cuts) {
    const audio = someAudio(600_000)
    const atOnce = Math.min(20, cuts - broken)
    const line = await breakingLine(service.port, atOnce, () => 1 + Math.floor(random() * 90_000))
    const id = await send(`http://127.0.0.1:${line.port}/v1`, audio, { chunkSize })
    const state = await (await kit.fetch('GET', `/v1/uploads/${id}`)).json()
    expect(state, `AFTERWORD_SEED=${seed}`).toMatchObject({ complete: true, bytes: audio.length, offset: audio.length })
    // Headers aside, which are some hundred bytes for each request.
    expect(line.seen.passed, `AFTERWORD_SEED=${seed}`).toBeLessThan(audio.length + line.seen.cuts * chunkSize + 300_000)
    expect(line.seen.cuts).toBeGreaterThan(0)
    sent += audio.length
    broken += line.seen.cuts
    await kit.fetch('DELETE', `/v1/uploads/${id}`, undefined, tus)
    await line.close()
  }
  expect(sent).toBeGreaterThan(0)
}, 3_600_000)

test('whole audio is transcribed, and gone as soon as its transcript is stored', async () => {
  const speech = await startScriptedSpeech([{ status: 200, body: '{"text":"I slept badly."}' }])
  opened.push(() => speech.close())
  const kit = await aKit({ speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
  const service = await overHttp((request) => kit.handle(request))
  opened.push(service.close)
  const upload_id = await send(`http://127.0.0.1:${service.port}/v1`, sessionOgg)
  const blobs = join(dirname(kit.file), 'blobs')
  expect(readdirSync(blobs)).toEqual([upload_id])
  const { status, data } = await kit.client.call('transcribeWithSpeakers', { body: { audio: { upload_id } } })
  expect([status, data]).toMatchObject([200, { segments: [{ text: 'I slept badly.' }] }])
  await vi.waitFor(() => expect(readdirSync(blobs)).toEqual([]), { timeout: 30_000 })
  expect((await kit.fetch('HEAD', `/v1/uploads/${upload_id}`, undefined, tus)).status).toBe(404)
})

test('audio that is not all there yet is not transcribed', async () => {
  const kit = await aKit()
  const at = await begin(kit, sessionOgg)
  await patch(kit, at, 0, sessionOgg.subarray(0, 5000))
  const response = await kit.fetch('POST', '/v1/transcribe', { audio: { upload_id: at.split('/').at(-1) } })
  expect([response.status, await response.json()]).toMatchObject([409, { code: 'conflict' }])
})

test('what arrived is kept and said, and sending goes on behind it', async () => {
  const kit = await aKit()
  const at = await begin(kit, sessionOgg, {
    'Upload-Metadata': metadata({ sha256: sha256(sessionOgg), filename: 'Ana Lopez.ogg' }),
  })
  expect((await patch(kit, at, 0, sessionOgg.subarray(0, 30_000))).headers.get('upload-offset')).toBe('30000')
  const head = await kit.fetch('HEAD', at, undefined, tus)
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'upload-offset': '30000',
    'upload-length': String(sessionOgg.length),
    'tus-resumable': '1.0.0',
    'cache-control': 'no-store',
  })
  expect(head.headers.get('upload-expires')).not.toBeNull()
  // A file's name may be a person's: it is not kept.
  expect(head.headers.get('upload-metadata')).toBe(metadata({ sha256: sha256(sessionOgg) }))
  const behind = await patch(kit, at, 10, sessionOgg.subarray(10, 20))
  expect([behind.status, await behind.json()]).toMatchObject([409, { code: 'upload-moved-on' }])
  expect((await patch(kit, at, 30_000, sessionOgg.subarray(30_000))).status).toBe(204)
  expect(await (await kit.fetch('GET', at)).json()).toMatchObject({ complete: true, media_type: 'audio/ogg' })
})

test('a chunk that is not what its checksum says is not taken, and sending goes on', async () => {
  const kit = await aKit()
  const at = await begin(kit, sessionOgg)
  const first = sessionOgg.subarray(0, 8192)
  expect((await patch(kit, at, 0, first, { 'Upload-Checksum': checksum(first) })).status).toBe(204)
  const wrong = await patch(kit, at, 8192, Buffer.alloc(100), { 'Upload-Checksum': checksum(first) })
  expect([wrong.status, await wrong.json()]).toMatchObject([460, { code: 'checksum-mismatch', retryable: true }])
  expect((await kit.fetch('HEAD', at, undefined, tus)).headers.get('upload-offset')).toBe('8192')
  const rest = sessionOgg.subarray(8192)
  expect((await patch(kit, at, 8192, rest, { 'Upload-Checksum': checksum(rest) })).status).toBe(204)
  const unknown = await patch(kit, at, 0, rest, { 'Upload-Checksum': 'md5 AAAA' })
  expect(unknown.status).toBe(409)
})

test('audio that is not what was announced as a whole is refused, and nothing of it kept', async () => {
  const kit = await aKit()
  const at = await begin(kit, sessionOgg, { 'Upload-Metadata': metadata({ sha256: '0'.repeat(64) }) })
  const response = await patch(kit, at, 0, sessionOgg)
  expect([response.status, await response.json()]).toMatchObject([460, { code: 'checksum-mismatch' }])
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(410)
})

test('the id of an upload whose bytes are still to be removed is not taken again', async () => {
  const kit = await aKit()
  const id = crypto.randomUUID()
  const [practice] = await kit.ask<{ id: string }>('select id from practices')
  const waiting = `('${id}', '${practice!.id}', '2026-01-01T00:00:00.000Z')`
  await kit.ask(`insert into blobs_to_remove (blob_id, practice_id, since) values ${waiting}`)
  const headers = { ...tus, 'Upload-Length': '100', 'Upload-Metadata': metadata({ id }) }
  const again = await kit.fetch('POST', '/v1/uploads', undefined, headers)
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'already-exists' }])
  await kit.ask('delete from blobs_to_remove')
  expect((await kit.fetch('POST', '/v1/uploads', undefined, headers)).status).toBe(201)
})

test('sound of a session goes as soon as somebody in it takes back that it may be written down, whole or on its way', async () => {
  const kit = await aKit()
  const client = await aClient(kit.client)
  const { id: session_id } = await aSession(kit.client, client.id)
  const { id: consent } = await agree(kit.client, client.id)
  const other = await begin(kit, sessionOgg)
  const of = { 'Upload-Metadata': metadata({ session_id }) }
  const [whole, onItsWay] = [await begin(kit, sessionOgg, of), await begin(kit, sessionOgg, of)]
  await patch(kit, whole, 0, sessionOgg)
  await patch(kit, onItsWay, 0, sessionOgg.subarray(0, 10_000))
  await kit.client.call('revokeConsent', { params: { id: consent }, body: { revoked_at: new Date().toISOString() } })
  expect((await kit.fetch('HEAD', whole, undefined, tus)).status).toBe(410)
  expect((await patch(kit, onItsWay, 10_000, sessionOgg.subarray(10_000))).status).toBe(410)
  expect((await kit.fetch('HEAD', other, undefined, tus)).status).toBe(200)
})

test('creation takes the first bytes along, and termination removes what there is', async () => {
  const kit = await aKit()
  const response = await kit.fetch('POST', '/api/v1/uploads', sessionOgg.subarray(0, 5000), {
    ...octets,
    'Upload-Length': String(sessionOgg.length),
  })
  expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '5000'])
  const at = response.headers.get('location')!
  expect(at).toMatch(/^\/api\/v1\/uploads\//)
  expect((await kit.fetch('DELETE', at, undefined, tus)).status).toBe(204)
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(404)
  await vi.waitFor(() => expect(readdirSync(join(dirname(kit.file), 'blobs'))).toEqual([]), { timeout: 30_000 })
})

test('begun once more under the same key it is the same upload, and its first bytes are not taken twice', async () => {
  const kit = await aKit()
  const headers = { ...octets, 'Upload-Length': String(sessionOgg.length), 'Idempotency-Key': 'a-session' }
  const ask = (more: Record<string, string> = {}) =>
    kit.fetch('POST', '/v1/uploads', sessionOgg.subarray(0, 5000), { ...headers, ...more })
  const [first, second] = [await ask(), await ask()]
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect([second.status, second.headers.get('idempotency-replayed'), second.headers.get('upload-offset')]).toEqual([
    201,
    'true',
    '5000',
  ])
  const other = await ask({ 'Upload-Length': '6000' })
  expect([other.status, await other.json()]).toMatchObject([422, { code: 'idempotency-mismatch' }])
  await kit.fetch('DELETE', first.headers.get('location')!, undefined, tus)
  expect((await ask()).status).toBe(410)
})

test('anybody is told what is taken, and how much', async () => {
  const kit = await aKit({ caller: 'api-keys' })
  const response = await kit.fetch('OPTIONS', '/v1/uploads')
  expect([response.status, response.headers.get('tus-extension'), response.headers.get('tus-max-size')]).toEqual([
    204,
    'creation,creation-with-upload,termination,checksum,expiration',
    String(1024 ** 3),
  ])
})

test('what is no audio is refused by its first bytes', async () => {
  const kit = await aKit()
  const page = Buffer.from('<!doctype html>'.padEnd(20_000))
  const at = await begin(kit, page)
  const response = await patch(kit, at, 0, page.subarray(0, 10_000))
  expect([response.status, await response.json()]).toMatchObject([415, { code: 'unsupported-media' }])
  expect((await kit.fetch('HEAD', at, undefined, tus)).headers.get('upload-offset')).toBe('0')
})

test.each([
  ['another version of tus', { 'Tus-Resumable': '0.2.2', 'Upload-Length': '10' }, 412],
  ['no length', tus, 400],
  ['no bytes at all', { ...tus, 'Upload-Length': '0' }, 422],
  ['more than is taken', { ...tus, 'Upload-Length': String(2 * 1024 ** 3) }, 413],
  ['a checksum that is none', { ...tus, 'Upload-Length': '10', 'Upload-Metadata': metadata({ sha256: 'x' }) }, 422],
  [
    'a session that is not there',
    { ...tus, 'Upload-Length': '10', 'Upload-Metadata': metadata({ session_id: 'a'.repeat(36) }) },
    404,
  ],
  ['a body of another type', { ...tus, 'Upload-Length': '10', 'Content-Type': 'audio/ogg' }, 415],
])('%s is a problem with a name', async (_name, headers, status) => {
  const kit = await aKit({ caller: 'api-keys' })
  const response = await kit.fetch('POST', '/v1/uploads', undefined, { ...headers, Authorization: `Bearer ${kit.ownerKey}` })
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
})

test('a practice has so many uploads at once and no more', async () => {
  const kit = await aKit({ uploads: { mostUploads: 2 } })
  await begin(kit, sessionOgg)
  const second = await begin(kit, sessionOgg)
  const third = await kit.fetch('POST', '/v1/uploads', undefined, { ...tus, 'Upload-Length': '100' })
  expect([third.status, await third.json()]).toMatchObject([429, { code: 'too-many-uploads' }])
  await kit.fetch('DELETE', second, undefined, tus)
  await begin(kit, sessionOgg)
})

test('after a day an upload is gone and says so, and its bytes are erased', async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const kit = await aKit({ clock })
  const at = await begin(kit, sessionOgg)
  await patch(kit, at, 0, sessionOgg)
  ahead = 24 * 3_600_000 - 60_000
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(200)
  ahead = 24 * 3_600_000 + 60_000
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(410)
  expect((await kit.fetch('POST', '/v1/transcribe', { audio: { upload_id: at.split('/').at(-1) } })).status).toBe(410)
  await kit.reopen()
  const blob = join(dirname(kit.file), 'blobs', at.split('/').at(-1)!)
  await vi.waitFor(() => expect(existsSync(blob)).toBe(false), { timeout: 30_000 })
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(410)
})

test('an upload is its sender’s alone, and each step of it is on record', async () => {
  const kit = await aKit({ caller: 'api-keys' })
  const owner = { Authorization: `Bearer ${kit.ownerKey}` }
  const body = { name: 'A colleague', roles: ['clinician'], person_id: await kit.employ(['clinician']) }
  const made = (await (await kit.fetch('POST', '/v1/api-keys', body, owner)).json()) as { secret: string }
  const colleague = { Authorization: `Bearer ${made.secret}` }
  const at = await begin(kit, sessionOgg, owner)
  await patch(kit, at, 0, sessionOgg, owner)
  for (const method of ['HEAD', 'GET', 'DELETE'])
    expect((await kit.fetch(method, at, undefined, { ...tus, ...colleague })).status).toBe(404)
  expect((await patch(kit, at, 0, sessionOgg, colleague)).status).toBe(404)
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(401)
  const events = await kit.ask<{ event: string }>('select event from audit_events order by seq')
  const steps = events.map(({ event }) => JSON.parse(event) as { operation: string; outcome: string; entities: string[] })
  const id = at.split('/').at(-1)
  expect(
    steps.filter(({ entities }) => entities.includes(id!)).map(({ operation, outcome }) => `${operation} ${outcome}`),
  ).toEqual([
    'beginUpload 201',
    'sendUpload 204',
    'getUpload 404 not-found',
    'getUpload 404 not-found',
    'endUpload 404 not-found',
    'sendUpload 404 not-found',
  ])
})
