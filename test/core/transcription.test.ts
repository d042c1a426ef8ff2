import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Step, startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { clientWithSession, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

const heard = {
  task: 'transcribe',
  language: 'english',
  duration: 2,
  text: 'I could not sleep.',
  segments: [
    { id: 0, start: 0, end: 2, text: ' I could not sleep.', avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 },
  ],
}
const transcribed: Step = { status: 200, body: JSON.stringify(heard) }

async function setUp(steps: readonly Step[]) {
  const speech = await startScriptedSpeech(steps)
  const kit = coreKit()
  onTestFinished(async () => {
    await speech.close()
    kit.remove()
  })
  return { kit, speech }
}

/** Two seconds of sound, recorded through the core and its append service. */
async function record(kit: ReturnType<typeof coreKit>, open: OpenCore, sessionId: string): Promise<string> {
  const { recording_id } = await open.call('recordings.start', {
    session_id: sessionId,
    window_id: 'window-1',
    format,
    device_label: 'Mic',
  })
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await open.call('recordings.finish', { recording_id })
  return recording_id
}

const work = async (open: OpenCore, session_id: string) => (await open.call('transcripts.get', { session_id })).work

test('a finished recording is transcribed by itself where the settings say so, and found by its words', async () => {
  const { kit, speech } = await setUp([transcribed])
  const open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address, speech_model: 'small' })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await open.settled()
  const { transcript, work: done, speech_ready } = await open.call('transcripts.get', { session_id: session.id })
  expect(transcript?.segments.map((segment) => segment.text)).toEqual(['I could not sleep.'])
  expect([done.state, speech_ready]).toEqual(['idle', true])
  const row = await open.call('sessions.get', { id: session.id })
  expect(row).toMatchObject({ session: { status: 'completed' }, recording: { state: 'finished' }, transcript: { present: true } })
  expect((await open.call('search.find', { q: 'sleep' })).words).toHaveLength(1)
  expect(await open.call('outbox.list', {})).toEqual([])
  await open.core.close()
})

test('without an engine the work waits, says why, and goes on by itself once one is set up', async () => {
  const { kit, speech } = await setUp([transcribed])
  const open = await kit.open()
  await createProfile(open)
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  expect((await open.call('transcripts.get', { session_id: session.id })).speech_ready).toBe(false)
  await open.call('transcripts.request', { session_id: session.id })
  await open.settled()
  expect(await work(open, session.id)).toEqual({ state: 'waiting', progress: 0, error: 'engine-not-ready' })
  expect(await open.call('outbox.list', {})).toMatchObject([
    { kind: 'transcribe', state: 'needs_you', error: 'engine-not-ready' },
  ])
  await open.call('settings.update', { speech_address: speech.address })
  await open.settled()
  expect(await work(open, session.id)).toMatchObject({ state: 'idle', error: null })
  await open.core.close()
})

test('a recording that ended before an engine was set up is transcribed once one is, and not if nobody is to', async () => {
  const { kit, speech } = await setUp([transcribed])
  const open = await kit.open()
  await createProfile(open)
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  expect(await work(open, session.id)).toEqual({ state: 'waiting', progress: 0, error: 'engine-not-ready' })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  await open.call('settings.update', { speech_engine: 'none' })
  const { session: unwanted } = await clientWithSession(open, 'Not Wanted', Date.UTC(2027, 0, 5, 9))
  await record(kit, open, unwanted.id)
  expect(await work(open, unwanted.id)).toMatchObject({ state: 'idle', error: null })
  await open.call('settings.update', { speech_engine: 'server', speech_address: speech.address })
  await open.settled()
  expect((await open.call('transcripts.get', { session_id: session.id })).transcript?.segments).toHaveLength(1)
  expect(await work(open, session.id)).toMatchObject({ state: 'idle', error: null })
  expect((await open.call('transcripts.get', { session_id: unwanted.id })).transcript).toBeNull()
  expect(speech.requests).toHaveLength(1)
  await open.core.close()
})

test('cancelled while the engine works, nothing of it arrives, and it can be asked for again', async () => {
  const { kit, speech } = await setUp(['hang', transcribed])
  const open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await speech.arrived(1)
  await open.until(async () => (await work(open, session.id)).state === 'running')
  expect(await open.call('transcripts.cancel', { session_id: session.id })).toMatchObject({ state: 'idle', error: 'cancelled' })
  speech.letGo({ status: 200, body: JSON.stringify(heard) })
  await open.settled()
  expect(await open.call('transcripts.get', { session_id: session.id })).toMatchObject({
    transcript: null,
    work: { state: 'idle' },
  })
  await open.call('transcripts.request', { session_id: session.id })
  await open.settled()
  expect((await open.call('transcripts.get', { session_id: session.id })).transcript).not.toBeNull()
  await open.core.close()
})

test('closed while the engine works, it goes on at the next start and the engine’s work is stored once', async () => {
  const { kit, speech } = await setUp(['hang', transcribed])
  let open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await speech.arrived(1)
  await open.until(async () => (await open.call('outbox.list', {}))[0]?.state === 'sending')
  const closing = open.core.close()
  speech.letGo({ status: 503 })
  await closing
  open = await kit.open()
  await open.settled()
  expect(await open.call('transcripts.get', { session_id: session.id })).toMatchObject({
    transcript: { segments: [{ text: 'I could not sleep.' }] },
    work: { state: 'idle' },
  })
  await open.core.close()
})

test('a transcript that was imported meanwhile stays, and the request for another is taken back', async () => {
  const { kit, speech } = await setUp(['hang', transcribed])
  const open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await speech.arrived(1)
  const content = new TextEncoder().encode(dialogue)
  const imported = await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  speech.letGo({ status: 200, body: JSON.stringify(heard) })
  await open.settled()
  expect(await open.call('transcripts.get', { session_id: session.id })).toMatchObject({
    transcript: imported,
    work: { state: 'idle' },
  })
  await open.core.close()
})

test('a recording that comes back without its database is finished again and not transcribed twice', async () => {
  const { kit, speech } = await setUp([transcribed])
  let open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await open.settled()
  await open.core.close()
  for (const ending of ['', '-wal', '-shm']) rmSync(join(kit.folder, `vault.db${ending}`), { force: true })
  open = await kit.open()
  await open.call('settings.update', { speech_address: speech.address })
  await open.until(async () => (await open.call('sessions.get', { id: session.id })).recording?.state === 'finished')
  await open.settled()
  expect(await open.call('recordings.recoverable', {})).toEqual([])
  expect(await open.call('sessions.get', { id: session.id })).toMatchObject({ session: { status: 'completed' } })
  expect((await open.call('transcripts.get', { session_id: session.id })).transcript).not.toBeNull()
  expect(speech.requests).toHaveLength(1)
  await open.core.close()
})
