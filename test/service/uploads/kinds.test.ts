import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { mediaTypeOf } from '#engines/speech/audio-source.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { openKit, sessionOgg, speechFixture } from '../service-kit.ts'
import { overHttp, send } from './upload-kit.ts'

const webm = readFileSync(join(speechFixture, 'session-start.webm'))
const wav = readFileSync(join(speechFixture, 'session.wav'))
const mp3 = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(2000)])
const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(2000)])
const m4a = Buffer.concat([Buffer.from('\0\0\0\u001cftypM4A '), Buffer.alloc(2000)])

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

describe('by its first bytes', () => {
  test.each([
    ['audio/ogg', sessionOgg],
    ['audio/webm', webm],
    ['audio/wav', wav],
    ['audio/flac', flac],
    ['audio/mp4', m4a],
    ['audio/mpeg', mp3],
    ['audio/mpeg', Buffer.from('ID3\u0004')],
  ])('%s is known', (mediaType, bytes) => expect(mediaTypeOf(bytes)).toBe(mediaType))

  test.each([
    ['Vorbis in Ogg', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\u0001vorbis')])],
    ['WebM without sound', Buffer.concat([webm.subarray(0, 40), Buffer.from('V_VP9')])],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a video of a phone', Buffer.from('\0\0\0\u0014ftypqt  ')],
    ['text', Buffer.from('I slept badly.')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is not taken', (_name, bytes) => {
    expect(() => mediaTypeOf(bytes)).toThrow(expect.objectContaining({ code: 'unsupported-media' }))
  })
})

async function transcribed(bytes: Buffer, more: Partial<ServiceOptions> = {}) {
  const speech = await startScriptedSpeech([{ status: 200, body: '{"text":"I slept badly.","duration":1.5}' }])
  closers.push(() => speech.close())
  const kit = await openKit({ speech: () => ({ address: speech.address, model: null, key: null, language: null }), ...more })
  closers.push(() => kit.close())
  const service = await overHttp((request) => kit.handle(request))
  closers.push(service.close)
  const upload_id = await send(`http://127.0.0.1:${service.port}/v1`, bytes)
  const response = await kit.fetch('POST', '/v1/ai/transcribe', { audio: { upload_id } })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown>, requests: speech.requests }
}

test('what is decoded here goes to the server as WAV', async () => {
  const { status, requests } = await transcribed(webm)
  expect([status, requests.length]).toEqual([200, 1])
  expect(requests[0]?.['file']?.[0]).toMatch(/^audio\/wav \d+$/)
})

test('what is not goes there as it was sent, and is as long as the server says', async () => {
  const { status, answer, requests } = await transcribed(mp3)
  expect([status, answer]).toMatchObject([200, { duration_ms: 1500, segments: [{ text: 'I slept badly.', end_ms: 1500 }] }])
  expect(requests.map(({ file }) => file)).toEqual([[`audio/mpeg ${mp3.length}`]])
})

test('where no server hears, a kind that is not decoded here is refused, saying which are', async () => {
  const models = {
    speech: () => ({ name: 'm', recogniser: {} }),
    vad: () => 'v',
    denoiser: () => null,
    segmentation: () => null,
    embedding: () => null,
  }
  const { status, answer } = await transcribed(flac, {
    speech: () => null,
    installed: async () => models as never,
    engines: {} as never,
  })
  expect([status, answer]).toMatchObject([
    415,
    { code: 'unsupported-media', detail: expect.stringContaining('Opus in Ogg or WebM') },
  ])
})

test('where the S3 store is out of reach the sender is told to try again', async () => {
  const server = await startS3()
  closers.push(() => server.close())
  const kit = await openKit({ blobs: { kind: 's3', ...server.options } })
  closers.push(() => kit.close())
  const tus = { 'Tus-Resumable': '1.0.0' }
  const begun = await kit.fetch('POST', '/v1/uploads', undefined, { ...tus, 'Upload-Length': String(sessionOgg.length) })
  const at = begun.headers.get('location')!
  await server.stop()
  const octets = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  const response = await kit.fetch('PATCH', at, sessionOgg, octets)
  expect([response.status, await response.json()]).toMatchObject([503, { code: 'storage-unreachable', retryable: true }])
  expect((await kit.fetch('HEAD', at, undefined, tus)).status).toBe(503)
})

test('on an S3 store audio is taken, transcribed and removed alike', async () => {
  const server = await startS3()
  closers.push(() => server.close())
  const { status, answer } = await transcribed(sessionOgg, { blobs: { kind: 's3', ...server.options } })
  expect([status, answer]).toMatchObject([200, { segments: [{ text: 'I slept badly.' }] }])
})
