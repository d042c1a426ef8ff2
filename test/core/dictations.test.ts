import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownStatement } from '#domain/note-review.ts'
import { type Step, startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { clientWithSession, coreKit, createProfile, type OpenCore } from './core-kit.ts'
import { format, heldClock, recordOf } from './recordings/recording-kit.ts'
import { vaultOf } from './recovery/damage-kit.ts'

const said = 'Slept well on five nights.'
const heard: Step = {
  status: 200,
  body: JSON.stringify({
    task: 'transcribe',
    language: 'english',
    duration: 2,
    text: said,
    segments: [{ id: 0, start: 0, end: 2, text: ` ${said}`, avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 }],
  }),
}
const window_id = 'window-one'

async function setUp(steps: readonly Step[] = [heard]) {
  const speech = await startScriptedSpeech(steps)
  const kit = coreKit()
  onTestFinished(async () => {
    await speech.close()
    kit.remove()
  })
  const open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  const note = await open.call('notes.start', { session_id: session.id, template: 'soap' })
  const files = () => (existsSync(join(kit.folder, 'dictations')) ? readdirSync(join(kit.folder, 'dictations')) : [])
  return { kit, speech, open, session, note, files }
}

type Kit = Awaited<ReturnType<typeof setUp>>

async function dictate({ kit, session }: Kit, open: OpenCore, records = 10): Promise<string> {
  const { id } = await open.call('dictations.start', { session_id: session.id, section_key: 'plan', window_id, format })
  for (let sequence = 0; sequence < records; sequence += 1) kit.append.append({ recording_id: id, ...recordOf(sequence) })
  return id
}

const list = (open: OpenCore, session_id: string) => open.call('dictations.list', { session_id })

test('a dictation is transcribed, its words come back, and its sound is gone once they are in the note', async () => {
  const kit = await setUp()
  const { open, session, files, speech } = kit
  const id = await dictate(kit, open)
  expect(await open.call('dictations.finish', { id })).toEqual({ saved_ms: 2000 })
  expect((await list(open, session.id)).waiting).toMatchObject([{ id, section_key: 'plan', saved_ms: 2000, is_running: false }])
  expect(await open.call('dictations.transcribe', { id })).toEqual({ text: said })
  expect(speech.requests).toHaveLength(1)
  expect(files()).toEqual([`${id}.afd`])
  await open.call('dictations.delete', { id, accepted: true })
  expect(files()).toEqual([])
  expect((await list(open, session.id)).waiting).toEqual([])
  await open.core.close()
})

test('a dictation is no recording of the session: no length, no recovery, no transcript, nothing for the service', async () => {
  const kit = await setUp()
  const { open, session } = kit
  const id = await dictate(kit, open)
  await open.call('dictations.finish', { id })
  await open.call('dictations.transcribe', { id })
  await open.settled()
  expect(await open.call('recordings.get', { session_id: session.id })).toBeNull()
  expect(await open.call('recordings.recoverable', {})).toEqual([])
  expect(await open.call('recordings.active', {})).toBeNull()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(await open.call('sessions.get', { id: session.id })).toMatchObject({
    session: { status: 'scheduled' },
    recording: null,
    transcript: { present: false },
  })
  await open.core.close()
})

test('the sound on the disk is sealed record by record and acknowledged, and the client need not have consented', async () => {
  const kit = await setUp()
  const { open, files } = kit
  const client = await open.call('clients.create', { display_name: 'Not Asked' })
  const starts_at = '2026-03-02T09:00:00Z'
  const times = { session_type: 'individual' as const, starts_at, duration_minutes: 50 }
  const session = await open.call('sessions.create', { client_id: client.id, ...times })
  await open.call('notes.start', { session_id: session.id, template: 'dap' })
  await open.call('app.openMicrophone', { purpose: 'dictation' })
  const { id } = await open.call('dictations.start', { session_id: session.id, section_key: 'data', window_id, format })
  const record = { recording_id: id, ...recordOf(0) }
  expect(kit.kit.append.append(record)).toEqual({ next_sequence: 1, saved_ms: 200 })
  const bytes = readFileSync(join(kit.kit.folder, 'dictations', files()[0]!))
  expect(bytes.includes(record.packets.subarray(2, 40))).toBe(false)
  await open.core.close()
})

test('without an engine, while a session is recorded, and for a signed note it is refused', async () => {
  const kit = await setUp()
  const { open, session, note } = kit
  const start = () => open.call('dictations.start', { session_id: session.id, section_key: 'plan', window_id, format })
  await open.call('settings.update', { speech_engine: 'none' })
  expect((await list(open, session.id)).ready).toBe(false)
  await expect(start()).rejects.toMatchObject({ code: 'engine-not-ready' })
  await open.call('settings.update', { speech_engine: 'server' })
  expect((await list(open, session.id)).ready).toBe(true)
  const recording = await open.call('recordings.start', { session_id: session.id, window_id, format, device_label: 'Mic' })
  await expect(start()).rejects.toMatchObject({ code: 'recording-active' })
  await open.call('recordings.erase', { recording_id: recording.recording_id })
  const sections = [{ key: 'plan', title: 'Plan', statements: [ownStatement('a', 'See her.')] }]
  const saved = await open.call('notes.save', { id: note.id, version: note.version, sections, omissions: [] })
  const id = await dictate(kit, open)
  await expect(open.call('notes.sign', { id: note.id, version: saved.version })).rejects.toMatchObject({
    code: 'not-ready-to-sign',
  })
  await open.call('dictations.delete', { id, accepted: false })
  await open.call('notes.sign', { id: note.id, version: saved.version })
  await expect(start()).rejects.toMatchObject({ code: 'already-signed' })
  await open.core.close()
})

test('after a lock, a crash, and the loss of the vault an interrupted dictation is found at its note', async () => {
  const kit = await setUp()
  const { session, files } = kit
  let { open } = kit
  const id = await dictate(kit, open)
  await open.core.close()
  expect(kit.kit.append.status()).toEqual([])
  open = await kit.kit.open()
  expect((await list(open, session.id)).waiting).toMatchObject([{ id, section_key: 'plan', saved_ms: 2000 }])
  await open.core.close()
  for (const ending of ['', '-wal', '-shm']) rmSync(join(kit.kit.folder, `vault.db${ending}`), { force: true })
  open = await kit.kit.open()
  await open.until(async () => (await open.call('sessions.list', {})).length === 1)
  expect((await list(open, session.id)).waiting).toMatchObject([{ id, section_key: null, saved_ms: 2000 }])
  expect(await open.call('recordings.recoverable', {})).toEqual([])
  expect((await open.call('clients.list', {})).map(({ client }) => client.display_name)).toEqual(['Marisol Vega'])
  expect(files()).toEqual([`${id}.afd`])
  await open.core.close()
})

test('a window that lost the core attaches again and loses no acknowledged sound', async () => {
  const kit = await setUp()
  const { kit: core, session } = kit
  let { open } = kit
  const id = await dictate(kit, open)
  await open.core.close()
  open = await core.open()
  expect(await open.call('dictations.attach', { id, window_id })).toMatchObject({ next_sequence: 10, saved_ms: 2000 })
  expect((await list(open, session.id)).waiting).toMatchObject([{ is_running: true }])
  core.append.append({ recording_id: id, ...recordOf(10) })
  expect(await open.call('dictations.finish', { id })).toEqual({ saved_ms: 2200 })
  await open.core.close()
})

test('a dictation whose window is gone is closed when its note is opened', async () => {
  const clock = heldClock()
  const speech = await startScriptedSpeech([heard])
  const core = coreKit({ clock })
  onTestFinished(async () => {
    await speech.close()
    core.remove()
  })
  const open = await core.open()
  await createProfile(open)
  await open.call('settings.update', { speech_address: speech.address })
  const { session } = await clientWithSession(open)
  await open.call('notes.start', { session_id: session.id, template: 'soap' })
  const { id } = await open.call('dictations.start', { session_id: session.id, section_key: 'plan', window_id, format })
  core.append.append({ recording_id: id, ...recordOf(0) })
  expect((await list(open, session.id)).waiting).toMatchObject([{ is_running: true }])
  clock.pass(4000)
  expect((await list(open, session.id)).waiting).toMatchObject([{ is_running: false, saved_ms: 200 }])
  expect(core.append.status()).toEqual([])
  await open.core.close()
})

test('a failing engine leaves the dictation, and one without sound leaves nothing', async () => {
  const kit = await setUp([{ status: 400 }, heard])
  const { open, session, files } = kit
  const id = await dictate(kit, open)
  await expect(open.call('dictations.transcribe', { id })).rejects.toThrow()
  expect((await list(open, session.id)).waiting).toHaveLength(1)
  expect(await open.call('dictations.transcribe', { id })).toEqual({ text: said })
  await open.call('dictations.delete', { id, accepted: true })
  const empty = await dictate(kit, open, 0)
  expect(await open.call('dictations.finish', { id: empty })).toEqual({ saved_ms: 0 })
  expect([files(), (await list(open, session.id)).waiting]).toEqual([[], []])
  await open.core.close()
})

test('rows of a deleted session take its dictations along, files too, and the audit log names each step', async () => {
  const kit = await setUp()
  const { kit: core, files } = kit
  let { open } = kit
  const id = await dictate(kit, open)
  await open.call('dictations.finish', { id })
  const kept = await dictate(kit, open)
  await open.call('dictations.transcribe', { id: kept })
  await open.call('dictations.delete', { id: kept, accepted: true })
  await open.core.close()
  const vault = await vaultOf(core)
  const actions = vault.prepare(`select action from audit where action like 'dictation.%' order by sequence`).pluck().all()
  vault.prepare('delete from dictations').run()
  vault.close()
  expect(actions).toEqual(['dictation.started', 'dictation.started', 'dictation.transcribed', 'dictation.accepted'])
  open = await core.open()
  expect(files()).toEqual([])
  await open.core.close()
})
