import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ConsentScope } from '#contract/model/consent.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { coreKit, createProfile, type OpenCore } from '#test/core/core-kit.ts'
import { startScriptedSpeech, type Step } from '#test/support/speech-server-scripted.ts'
import { afterAnotherDeletion, fileOf, importWords, isErased, planOf, played, setUp, stateOf } from './opened-kit.ts'
import { agreed, record, reviewed, sessionAsked, sign } from './signing-kit.ts'

const heardBody = JSON.stringify({ text: 'I slept.', segments: [{ start: 0, end: 2, text: ' I slept.' }] })
const heard: Exclude<Step, 'hang'> = { status: 200, body: heardBody }

test('signing deletes the audio of that session alone, and leaves a receipt, the words and the note', async () => {
  const { kit, open } = await setUp()
  const other = await sessionAsked(open, 'Not Signed')
  const otherRecording = await record(kit, open, other.session.id)
  const { session } = await sessionAsked(open, 'Not Kept')
  const recording_id = await record(kit, open, session.id)
  await importWords(open, session.id)
  const { ogg_sha256, saved_ms, started_at } = (await open.call('recordings.get', { session_id: session.id }))!
  expect(await planOf(open, session.id)).toEqual({ outcome: 'deleted-by-signing', because: null })
  expect(await played(open, recording_id)).toBe(200)

  const signed = await sign(open, session.id)
  await open.until(() => isErased(open, session.id))
  const { erased_at } = (await open.call('recordings.get', { session_id: session.id }))!
  expect(await open.call('recordings.retention', { session_id: session.id })).toEqual({
    plan: null,
    receipt: {
      number: 1,
      deleted_at: erased_at,
      deleted_by: 'Dr. Ana Ruiz',
      reason: 'signed',
      started_at,
      saved_ms,
      ogg_sha256,
      note_sha256: signed.signature!.content_hash,
    },
  })
  expect(existsSync(fileOf(kit, recording_id))).toBe(false)
  expect(await played(open, recording_id)).toBe(404)
  expect((await open.call('transcripts.get', { session_id: session.id })).transcript?.segments.length).toBeGreaterThan(0)
  expect((await open.call('notes.get', { session_id: session.id })).note).toEqual(signed)
  expect(await stateOf(open, other.session.id)).toBe('finished')
  expect(await played(open, otherRecording)).toBe(200)
})

test('receipts are numbered, and one is kept of what is deleted by hand', async () => {
  const { kit, open } = await setUp()
  await afterAnotherDeletion(kit, open)
  const { session } = await sessionAsked(open, 'By Hand')
  await open.call('recordings.erase', { recording_id: await record(kit, open, session.id) })
  expect((await open.call('recordings.retention', { session_id: session.id })).receipt).toMatchObject({
    number: 2,
    reason: 'by-hand',
    note_sha256: null,
  })
})

test.each([
  ['the client agreed to keep it', [...agreed, 'retain'] as ConsentScope[], textAskingToKeep, 'agreed'],
  ['the client agreed in Spanish', [...agreed, 'retain'] as ConsentScope[], `${textAskingToKeep} laptop es`, 'agreed'],
  ['the client was never asked', agreed, 'read-aloud-2026-1 laptop', 'not-asked'],
])('audio stays where %s, and the page says so before and after', async (_who, scopes, text, because) => {
  const { kit, open } = await setUp()
  const { session } = await sessionAsked(open, 'Kept', scopes, text)
  const recording_id = await record(kit, open, session.id)
  await importWords(open, session.id)
  expect(await planOf(open, session.id)).toEqual({ outcome: 'kept', because })
  await sign(open, session.id)
  await afterAnotherDeletion(kit, open)
  expect(await planOf(open, session.id)).toMatchObject({ outcome: 'kept' })
  expect(await played(open, recording_id)).toBe(200)
})

test('a signature given without being told of the deletion deletes nothing, and the page leaves the decision to the therapist', async () => {
  const { kit, open } = await setUp()
  const { session } = await sessionAsked(open, 'Older Version')
  await record(kit, open, session.id)
  await importWords(open, session.id)
  await sign(open, session.id, false)
  await afterAnotherDeletion(kit, open)
  expect(await planOf(open, session.id)).toEqual({ outcome: 'kept', because: 'your-decision' })
})

test('audio that waits for a speech engine stays after signing, and goes once the words are there', async () => {
  const { kit, open } = await setUp()
  const { session } = await sessionAsked(open, 'No Engine')
  await record(kit, open, session.id)
  expect((await open.call('transcripts.get', { session_id: session.id })).work.error).toBe('engine-not-ready')
  await sign(open, session.id)
  await afterAnotherDeletion(kit, open)
  expect(await planOf(open, session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'transcript' })
  await importWords(open, session.id)
  await open.until(() => isErased(open, session.id))
})

async function whileHeard(name: string) {
  const speech = await startScriptedSpeech(['hang', heard])
  const { kit, open } = await setUp()
  onTestFinished(() => speech.close())
  await open.call('settings.update', { speech_engine: 'server', speech_address: speech.address })
  const found = await sessionAsked(open, name)
  const { id, version } = await reviewed(open, found.session.id)
  const recording_id = await record(kit, open, found.session.id)
  await speech.arrived(1)
  await open.call('notes.sign', { id, version, deletes_audio: true })
  expect(await planOf(open, found.session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'transcript' })
  return { ...found, speech, kit, open, recording_id, session_id: found.session.id }
}

test('audio stays while its transcript is being made, and goes when the transcript is stored', async () => {
  const { speech, open, kit, recording_id, session_id } = await whileHeard('Being Heard')
  expect(existsSync(fileOf(kit, recording_id))).toBe(true)
  speech.letGo(heard)
  await open.until(() => isErased(open, session_id))
  expect((await open.call('transcripts.get', { session_id })).transcript?.segments).toHaveLength(1)
})

test('Stop on a transcript keeps the audio, and a new transcript deletes it', async () => {
  const { speech, open, session_id } = await whileHeard('Stopped')
  await open.call('transcripts.cancel', { session_id })
  speech.letGo(heard)
  await open.settled()
  await afterImport(open)
  expect(await stateOf(open, session_id)).toBe('finished')
  await open.call('transcripts.request', { session_id })
  await open.until(() => isErased(open, session_id))
})

/** Something that changes the outbox, so that a deletion that is due would be made. */
async function afterImport(open: OpenCore): Promise<void> {
  const { session } = await sessionAsked(open, 'Only Words')
  await importWords(open, session.id)
  await open.settled()
}

test('consent that is given while the transcript is made keeps the audio', async () => {
  const { speech, open, session_id, client } = await whileHeard('Agreed Later')
  const participant = { name: client.display_name, role: 'client' as const }
  const about = { client_id: client.id, participant, text_version: textAskingToKeep, method: 'spoken' as const }
  await open.call('consents.give', { ...about, scopes: ['retain'] })
  speech.letGo(heard)
  await open.until(async () => (await open.call('transcripts.get', { session_id })).transcript !== null)
  await afterImport(open)
  expect(await planOf(open, session_id)).toEqual({ outcome: 'kept', because: 'agreed' })
  expect(await stateOf(open, session_id)).toBe('finished')
})

test('a withdrawal after signing leaves what was recorded to the therapist', async () => {
  const { speech, open, session_id, consent } = await whileHeard('Withdrew')
  await open.call('consents.revoke', { id: consent.id })
  speech.letGo(heard)
  await afterImport(open)
  await importWords(open, session_id)
  await open.settled()
  expect(await planOf(open, session_id)).toEqual({ outcome: 'kept', because: 'your-decision' })
  expect(await stateOf(open, session_id)).toBe('finished')
})

test('what was owed when the app closed is deleted by a later start', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let isCut = false
  const openService: CorePorts['openService'] = async (options) => {
    const service = await kit.ports.openService(options)
    return { ...service, fetch: (request) => (isCut ? Promise.reject(new TypeError('cut')) : service.fetch(request)) }
  }
  const first = await kit.open({ openService })
  await createProfile(first)
  const { session } = await sessionAsked(first, 'Not Sent')
  const recording_id = await record(kit, first, session.id)
  await importWords(first, session.id)
  const { id, version } = await reviewed(first, session.id)
  await first.settled()
  isCut = true
  await first.call('notes.sign', { id, version, deletes_audio: true })
  expect(await planOf(first, session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'sync' })
  await first.core.close()
  expect(existsSync(fileOf(kit, recording_id))).toBe(true)
  const next = await kit.open()
  onTestFinished(() => next.core.close())
  await next.until(() => isErased(next, session.id))
  expect(existsSync(fileOf(kit, recording_id))).toBe(false)
})

test('with an older copy of the vault, audio that was deleted is shown as deleted and not as damaged', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const first = await kit.open()
  await createProfile(first)
  const { session } = await sessionAsked(first, 'Older Copy')
  await record(kit, first, session.id)
  await importWords(first, session.id)
  const { id, version } = await reviewed(first, session.id)
  await first.settled()
  await first.core.close()
  const [vault, copy] = [join(kit.folder, 'vault.db'), join(kit.folder, '..', `${id}.db`)]
  copyFileSync(vault, copy)
  onTestFinished(() => rmSync(copy))
  const second = await kit.open()
  await second.call('notes.sign', { id, version, deletes_audio: true })
  await second.until(() => isErased(second, session.id))
  const { receipt } = await second.call('recordings.retention', { session_id: session.id })
  await second.settled()
  await second.core.close()
  copyFileSync(copy, vault)
  const third = await kit.open()
  onTestFinished(() => third.core.close())
  await third.until(() => isErased(third, session.id))
  expect(await third.call('recordings.retention', { session_id: session.id })).toEqual({ plan: null, receipt })
  expect((await third.call('recordings.get', { session_id: session.id }))?.erased_at).toBe(receipt?.deleted_at)
  expect(await third.call('recordings.damaged', {})).toEqual([])
})
