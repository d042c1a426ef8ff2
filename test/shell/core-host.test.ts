import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '#contract/bridge/method.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import type { AppendOpen } from '#core/recordings/append-service.ts'
import { type CoreHost, startCore } from '#shell/core-host.ts'
import type { ThreadParts } from '#shell/core-threads.ts'
import { threadFile } from '#shell/thread-file.ts'

const passphrase = 'a long enough passphrase'
const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const

let folder = ''
let host: CoreHost
let openRecordings: readonly AppendOpen[] = []
let events: { name: string; payload: unknown }[] = []

const start = (passphraseFile?: string, startLocked = false, path = folder, parts: ThreadParts = {}): Promise<CoreHost> => {
  const options = {
    openRecordings,
    onOpenRecordings: (recordings: readonly AppendOpen[]) => void (openRecordings = recordings),
    folder: path,
    resources: resolve('resources'),
    shell: 'preview' as const,
    app_version: '0.0.0',
    startLocked,
    passphraseFile,
    onEvent: (name: string, payload: unknown) => void events.push({ name, payload }),
  }
  return startCore(options, parts)
}

async function call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>> {
  const answer = (await host.call(name, input)) as Answer<MethodOutput<Name>>
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`)
  return answer.value
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-host-'))
  events = []
  openRecordings = []
  host = await start()
})
afterEach(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

const create = () =>
  call('vault.create', { protection: 'passphrase', passphrase, therapist_name: 'Robin Adair', therapist_credential: null })

/** One record of ten 20 ms packets of silence (RFC 6716: a SILK/CELT frame of a few bytes). */
function record(recording_id: string, sequence: number): MethodInput<'recordings.append'> {
  const packet = Buffer.from([0, 3, 0xf8, 0xff, 0xfe])
  return {
    recording_id,
    sequence,
    packets: new Uint8Array(Buffer.concat(Array.from({ length: 10 }, () => packet))),
    peak: 0.5,
    rms: 0.2,
  }
}

async function startRecording(): Promise<string> {
  const client = await call('clients.create', { display_name: 'Maren Voss' })
  const session = await call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2026-11-24T14:00:00Z',
    duration_minutes: 50,
  })
  await call('consents.give', {
    client_id: client.id,
    participant: { name: 'Maren Voss', role: 'client' },
    scopes: ['record', 'transcribe', 'draft'],
    text_version: '1',
    method: 'spoken',
  })
  const started = await call('recordings.start', {
    session_id: session.id,
    window_id: 'window-one',
    format,
    device_label: 'Test',
  })
  return started.recording_id
}

test('the records open in a worker, take a client, and nothing answers once they are locked', async () => {
  await create()
  await call('clients.create', { display_name: 'Maren Voss' })
  expect(await call('clients.list', {})).toHaveLength(1)
  await call('vault.lock', {})
  expect(await host.call('clients.list', {})).toMatchObject({ ok: false, error: { code: 'vault-locked' } })
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked' })
  expect(await host.call('vault.unlock', { passphrase: 'another passphrase' })).toMatchObject({
    ok: false,
    error: { code: 'wrong-passphrase' },
  })
  await call('vault.unlock', { passphrase })
  expect(await call('clients.list', {})).toHaveLength(1)
})

test('a recording goes on under a lock, and the core finds it again when it is opened', async () => {
  await create()
  const recordingId = await startRecording()
  expect(await call('recordings.append', record(recordingId, 0))).toEqual({ next_sequence: 1, saved_ms: 200 })
  await call('vault.lock', {})
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked', recording_id: recordingId })
  expect(await call('recordings.append', record(recordingId, 1))).toEqual({ next_sequence: 2, saved_ms: 400 })
  await call('vault.unlock', { passphrase })
  expect(await call('recordings.append', record(recordingId, 2))).toEqual({ next_sequence: 3, saved_ms: 600 })
  expect(await call('recordings.active', {})).toMatchObject({
    recording: { id: recordingId, state: 'recording' },
    window_id: 'window-one',
  })
  expect(await call('recordings.finish', { recording_id: recordingId })).toMatchObject({ state: 'finished', saved_ms: 600 })
  expect(events.filter(({ name }) => name === 'recording.saved')).toHaveLength(3)
})

test('a recording continues in the next process while its records are still locked, and only for its own window', async () => {
  await create()
  const recordingId = await startRecording()
  await call('recordings.append', record(recordingId, 0))
  expect(openRecordings).toMatchObject([{ recording_id: recordingId, window_id: 'window-one' }])
  await host.close() // leaves the file as a death of the process does: without a final record
  host = await start()
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked', recording_id: recordingId })
  const attach = (window_id: string) =>
    host.call('recordings.attach', { recording_id: recordingId, window_id, format, device_label: 'Test', gap: null })
  expect(await attach('window-two')).toEqual({ ok: false, error: { code: 'vault-locked' } })
  expect(await attach('window-one')).toEqual({ ok: true, value: { next_sequence: 1, saved_ms: 200 } })
  expect(await call('recordings.append', record(recordingId, 1))).toEqual({ next_sequence: 2, saved_ms: 400 })
  await call('vault.unlock', { passphrase })
  expect(await call('recordings.recoverable', {})).toEqual([])
  expect(await call('recordings.finish', { recording_id: recordingId })).toMatchObject({ saved_ms: 400, gaps: [] })
  expect(openRecordings).toEqual([])
})

test('a recording continues in the next append thread after the first one died, the records locked or not', async () => {
  await host.close()
  const dying = new URL('./threads/dying-append.ts', import.meta.url)
  host = await start(undefined, false, folder, { fileOf: (name) => (name === 'append-thread' ? dying : threadFile(name)) })
  await create()
  const recordingId = await startRecording()
  await call('recordings.append', record(recordingId, 0))
  await host.call('recordings.append', record(recordingId, 1))
  const attachment = { recording_id: recordingId, window_id: 'window-one', format, device_label: 'Test', gap: null }
  await expect.poll(() => host.call('recordings.attach', attachment), { timeout: 60_000 }).toMatchObject({ ok: true })
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked', recording_id: recordingId })
  expect(await call('recordings.append', record(recordingId, 2))).toEqual({ next_sequence: 3, saved_ms: 600 })
})

test('a window reloaded under the lock takes its recording up there, another window does not', async () => {
  await create()
  const recordingId = await startRecording()
  await call('recordings.append', record(recordingId, 0))
  await call('vault.lock', {})
  const attach = (window_id: string) =>
    host.call('recordings.attach', { recording_id: recordingId, window_id, format, device_label: 'Test', gap: 'reload' })
  const refused = { ok: false, error: { code: 'vault-locked' } }
  expect(await attach('window-two')).toEqual(refused)
  expect(await attach('window-one')).toEqual({ ok: true, value: { next_sequence: 1, saved_ms: 200 } })
  expect(await attach('window-one')).toMatchObject({ ok: true })
  await call('recordings.append', record(recordingId, 1))
  await call('vault.unlock', { passphrase })
  expect(await call('recordings.active', {})).toMatchObject({
    recording: { id: recordingId, state: 'recording', gaps: [{ at_ms: 200, reason: 'reload' }] },
  })
  await call('recordings.finish', { recording_id: recordingId })
  await call('vault.lock', {})
  expect(await attach('window-one')).toEqual(refused)
})

test('a finished recording plays from its sealed records, in ranges', async () => {
  await create()
  const recordingId = await startRecording()
  for (let sequence = 0; sequence < 20; sequence += 1) await call('recordings.append', record(recordingId, sequence))
  const { ogg_bytes } = await call('recordings.finish', { recording_id: recordingId })
  const url = `http://127.0.0.1/media/recordings/${recordingId}`
  const whole = new Uint8Array(await (await host.media(new Request(url))).arrayBuffer())
  expect(whole.length).toBe(ogg_bytes)
  expect(Buffer.from(whole).toString('latin1', 0, 4)).toBe('OggS')
  const part = await host.media(new Request(url, { headers: { range: 'bytes=100-299' } }))
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(Buffer.from(whole.subarray(100, 300)))).toBe(true)
})

test('a passphrase file opens the records at a start, and not after a lock', async () => {
  await create()
  await host.close()
  const file = join(folder, 'passphrase')
  writeFileSync(file, `${passphrase}\n`)
  host = await start(file)
  expect(await call('app.state', {})).toMatchObject({ phase: 'ready' })
  await call('vault.lock', {})
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked' })
})

test('a process that takes the place of a locked one stays locked', async () => {
  await create()
  await host.close()
  const file = join(folder, 'passphrase')
  writeFileSync(file, passphrase)
  host = await start(file, true)
  expect(await call('app.state', {})).toMatchObject({ phase: 'locked' })
  expect(host.isLocked()).toBe(true)
  await call('vault.unlock', { passphrase })
  expect(host.isLocked()).toBe(false)
})

test('two locks at once are one lock', async () => {
  await create()
  await Promise.all([host.lock(), host.lock(), host.call('vault.lock', {})])
  await call('vault.unlock', { passphrase })
  expect(await call('clients.list', {})).toEqual([])
})

test('by a link to the folder no second core opens, and none finishes the recording of the first', async () => {
  await create()
  const recording_id = await startRecording()
  await call('recordings.append', record(recording_id, 0))
  const link = `${folder}-link`
  symlinkSync(folder, link, 'junction')
  onTestFinished(() => unlinkSync(link))
  await expect(start(undefined, false, link)).rejects.toMatchObject({ code: 'profile-in-use' })
  await call('recordings.append', record(recording_id, 1))
  expect((await call('recordings.active', {}))?.recording.id).toBe(recording_id)
  await call('recordings.finish', { recording_id })
})
