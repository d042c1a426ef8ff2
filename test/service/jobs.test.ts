import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Operation } from '#contract/model/operation.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech, Step } from '#test/support/speech-server-scripted.ts'
import { aClient, anId, aSession, audioOf, openKit, sessionOgg } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'
import { wavOf } from './sound.ts'

const recording = anId()
let kit: ServiceKit
let speech: ScriptedSpeech
let session: string
let settings: SpeechSettings | null

async function open(steps: Step[], waitMs = 60_000, pieceSeconds = 300): Promise<void> {
  speech = await startScriptedSpeech(steps)
  settings = { address: speech.address, model: 'm', key: 'k', language: 'en' }
  const recordings: Record<string, { bytes: Uint8Array; session_id: string }> = {}
  kit = await openKit({ speech: () => settings, audio: audioOf(recordings), waitMs, pieceSeconds, speechTuning: { pauses: [] } })
  session = (await aSession(kit.client, (await aClient(kit.client)).id)).id
  recordings[recording] = { bytes: sessionOgg, session_id: session }
}
beforeEach(() => {
  settings = null
})
afterEach(async () => {
  await kit.close()
  await speech.close()
})

const words: Step = {
  status: 200,
  body: JSON.stringify({ text: 'I slept badly.', segments: [{ start: 1, end: 2.5, text: ' I slept badly. ' }] }),
}
const upload = async (): Promise<string> =>
  (await kit.client.call('createUpload', { body: { recording_id: recording, media_type: 'audio/ogg' } })).data.id
const start = async (): Promise<Operation> =>
  (await kit.client.call('transcribe', { body: { audio: { upload_id: await upload() } }, preferAsync: true })).data as Operation
const look = async (id: string): Promise<Operation> => (await kit.client.call('getOperation', { params: { id } })).data

async function ended(id: string): Promise<Operation> {
  return vi.waitUntil(
    async () => {
      const operation = await look(id)
      return ['queued', 'running'].includes(operation.status) ? null : operation
    },
    { timeout: 20_000, interval: 20 },
  )
}

test('a recording is named, not sent; its transcript is of its session and stands in the list', async () => {
  await open([words])
  const { data, status } = await kit.client.call('transcribe', { body: { audio: { upload_id: await upload() } } })
  expect(status).toBe(200)
  expect(data).toMatchObject({
    session_id: session,
    language: 'en',
    duration_ms: 24_830,
    speakers: [],
    engine: { name: 'openai-compatible', model: 'm' },
    segments: [{ id: 's1', speaker_id: null, start_ms: 1000, end_ms: 2500, text: 'I slept badly.' }],
  })
  expect((await kit.client.call('listTranscripts', { query: { session_id: session } })).data.data).toEqual([data])
  expect(speech.requests[0]).toMatchObject({
    model: ['m'],
    response_format: ['verbose_json'],
    'timestamp_granularities[]': ['segment', 'word'],
    language: ['en'],
  })
  expect(speech.authorizations).toEqual(['Bearer k'])
})

test('a recording that is not there, or an upload that is not, is 404', async () => {
  await open([words])
  const missing = kit.client.call('createUpload', { body: { recording_id: anId(), media_type: 'audio/ogg' } })
  await expect(missing).rejects.toEqual(expect.objectContaining({ code: 'not-found' }))
  const unknown = kit.client.call('transcribe', { body: { audio: { upload_id: anId() } } })
  await expect(unknown).rejects.toEqual(expect.objectContaining({ code: 'not-found' }))
})

test('sound of one session is not transcribed under another', async () => {
  await open([words])
  const { client_id } = (await kit.client.call('getSession', { params: { id: session } })).data
  const other = await aSession(kit.client, client_id)
  const call = kit.client.call('transcribe', { body: { audio: { upload_id: await upload() }, session_id: other.id } })
  await expect(call).rejects.toEqual(
    expect.objectContaining({ code: 'validation-failed', fields: [expect.objectContaining({ pointer: '/session_id' })] }),
  )
})

test('under /api/ai an operation stands under /v1', async () => {
  await open(['hang'])
  const body = { audio: { upload_id: await upload() } }
  const response = await kit.fetch('POST', '/api/ai/transcribe', body, { Prefer: 'respond-async' })
  const { id } = (await response.json()) as Operation
  expect([response.status, response.headers.get('location')]).toEqual([202, `/v1/operations/${id}`])
  expect((await kit.fetch('GET', response.headers.get('location')!)).status).toBe(200)
})

test('work that takes longer than a call waits goes on as an operation', async () => {
  await open(['hang'], 0)
  const call = await kit.client.call('transcribe', { body: { audio: { upload_id: await upload() } } })
  expect(call).toMatchObject({ status: 202, location: expect.stringContaining('/v1/operations/') })
  await speech.arrived(1)
  expect(await look((call.data as Operation).id)).toMatchObject({ status: 'running', result: null, problem: null })
  speech.letGo(words as Exclude<Step, 'hang'>)
  expect(await ended((call.data as Operation).id)).toMatchObject({
    status: 'succeeded',
    progress: 1,
    result: { session_id: session },
  })
})

test('an operation that failed says with which problem', async () => {
  await open([{ status: 400 }])
  const operation = await ended((await start()).id)
  expect(operation).toMatchObject({ status: 'failed', result: null, problem: { code: 'engine-failed', status: 502 } })
})

test('cancelled, the work stops and leaves no transcript', async () => {
  await open(['hang'])
  const { id } = await start()
  await speech.arrived(1)
  expect((await kit.client.call('cancelOperation', { params: { id } })).data.status).toBe('cancelled')
  speech.letGo(words as Exclude<Step, 'hang'>)
  expect((await ended(id)).status).toBe('cancelled')
  expect((await kit.client.call('cancelOperation', { params: { id } })).data.status).toBe('cancelled')
  expect((await kit.client.call('listTranscripts', {})).data.data).toEqual([])
})

test('a call that waits for work that is then cancelled learns so', async () => {
  await open(['hang'])
  const waiting = kit.client.call('transcribe', { body: { audio: { upload_id: await upload() } } })
  const told = expect(waiting).rejects.toEqual(expect.objectContaining({ code: 'cancelled' }))
  await speech.arrived(1)
  const id = await runningOperation()
  await kit.client.call('cancelOperation', { params: { id } })
  await told
})

test('a restart in the middle takes the work up again', async () => {
  await open(['hang', words])
  const { id } = await start()
  await speech.arrived(1)
  await kit.reopen()
  expect(await ended(id)).toMatchObject({ status: 'succeeded' })
  expect(speech.requests).toHaveLength(2)
  expect((await kit.client.call('listTranscripts', {})).data.data).toHaveLength(1)
})

test('pieces already heard are not asked for again, and every time is on the recording’s own clock', async () => {
  const heard: Step = { status: 200, body: JSON.stringify({ segments: [{ start: 0.5, end: 1, text: 'word' }] }) }
  await open([heard, 'hang', heard], 60_000, 10)
  const { id } = await start()
  await speech.arrived(2)
  expect((await look(id)).progress).toBeGreaterThan(0)
  await kit.reopen()
  const { result } = await ended(id)
  // The second piece was on its way when it was cut off.
  expect(speech.requests).toHaveLength(4)
  const { segments, duration_ms } = result as Transcript
  expect(segments.map((segment) => segment.id)).toEqual(['s1', 's2', 's3'])
  expect(segments[0]!.start_ms).toBe(500)
  expect(segments[1]!.start_ms).toBeGreaterThan(8_000)
  expect(segments[2]!.start_ms! - segments[1]!.start_ms!).toBeGreaterThan(7_000)
  expect(duration_ms).toBe(24_830)
})

test('closing answers the calls that still wait', async () => {
  await open(['hang'])
  const waiting = kit.client.call('transcribe', { body: { audio: { upload_id: await upload() } } })
  await speech.arrived(1)
  await kit.reopen()
  expect((await waiting).status).toBe(202)
})

test('a draft does not wait behind sound', async () => {
  await open(['hang'])
  await start()
  await speech.arrived(1)
  const { client_id } = (await kit.client.call('getSession', { params: { id: session } })).data
  const body = { session_id: session, client_id, template: 'soap', transcript: 'Ana: I slept badly and felt anxious.' } as const
  expect((await kit.client.call('generateNote', { body })).status).toBe(201)
})

test('sound sent along is held until its transcript is there, and no longer', async () => {
  await open(['hang', words])
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  const { id } = (await kit.client.call('transcribe', { body, preferAsync: true })).data as Operation
  await speech.arrived(1)
  expect(await heldBytes()).toBeGreaterThan(32_000)
  await kit.reopen()
  expect(await ended(id)).toMatchObject({ status: 'succeeded', result: { duration_ms: 1000, session_id: null } })
  expect(await heldBytes()).toBe(0)
})

test('sound that cannot be decoded is 415 before anything is done', async () => {
  await open([words])
  for (const audio of [
    { content: wavOf(1), media_type: 'audio/mpeg' },
    { content: Buffer.from('no sound at all').toString('base64'), media_type: 'audio/wav' },
    { content: Buffer.from('OggS but of something else').toString('base64'), media_type: 'audio/ogg' },
  ]) {
    await expect(kit.client.call('transcribe', { body: { audio } })).rejects.toEqual(
      expect.objectContaining({ code: 'unsupported-media' }),
    )
  }
})

test('Opus in Ogg may be sent along too', async () => {
  await open([words])
  const audio = { content: sessionOgg.toString('base64'), media_type: 'audio/ogg; codecs=opus' }
  expect((await kit.client.call('transcribeWithSpeakers', { body: { audio } })).data).toMatchObject({ duration_ms: 24_830 })
})

test('silence stays silence, and is not even sent', async () => {
  await open([words])
  const { data } = await kit.client.call('transcribe', { body: { audio: { content: wavOf(2, 0), media_type: 'audio/wav' } } })
  expect(data).toMatchObject({ segments: [], duration_ms: 2000 })
  expect(speech.requests).toHaveLength(0)
})

test('speakers are told only where the engine tells them', async () => {
  const segments = [
    { start: 0, end: 1, text: 'How are you?', speaker: 'A' },
    { start: 1, end: 2, text: 'Tired.', speaker: 'B' },
    { start: 2, end: 3, text: 'Go on.' },
  ]
  await open([{ status: 200, body: JSON.stringify({ text: '', segments }) }])
  const body = { audio: { content: wavOf(3), media_type: 'audio/wav' } }
  expect((await kit.client.call('transcribeWithSpeakers', { body })).data).toMatchObject({
    speakers: [
      { id: 'A', label: 'Speaker 1', role: 'unknown' },
      { id: 'B', label: 'Speaker 2' },
    ],
    segments: [{ speaker_id: 'A' }, { speaker_id: 'B' }, { speaker_id: null }],
  })
  expect((await kit.client.call('transcribe', { body })).data).toMatchObject({
    speakers: [],
    segments: [{ speaker_id: null }, {}, {}],
  })
})

const heldBytes = async (): Promise<number> =>
  Number((await kit.ask('select coalesce(sum(length(content)), 0) as n from uploads'))[0]?.['n'])
const runningOperation = async (): Promise<string> =>
  (await kit.ask<{ id: string }>("select id from operations where status = 'running'"))[0]!.id
