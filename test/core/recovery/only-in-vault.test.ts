import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flip, openedProfile, reported, reopened, signedWork } from '../compare-kit.ts'
import { clientWithSession, type CoreKit, type OpenCore } from '../core-kit.ts'
import { format, recordOf } from '../recordings/recording-kit.ts'

const label = 'Desk microphone'

async function startRecording(kit: CoreKit, opened: OpenCore, session_id: string, records: number): Promise<string> {
  const asked = { session_id, window_id: 'window-1', format, device_label: label }
  const { recording_id } = await opened.call('recordings.start', asked)
  for (let sequence = 0; sequence < records; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  return recording_id
}

async function openWithoutVault(kit: CoreKit, opened: OpenCore, harm = (_folder: string): void => {}): Promise<OpenCore> {
  await opened.settled()
  await opened.core.close()
  harm(kit.folder)
  rmSync(join(kit.folder, 'vault.db'))
  const again = await kit.open()
  await again.until(async () => (await reported(again)).some(({ items }) => items.length > 0))
  await again.settled()
  return again
}

const missing = async (opened: OpenCore): Promise<string[]> =>
  (await reported(opened)).flatMap(({ items }) => items.filter((item) => item.endsWith('false') && !item.startsWith('other')))

test('a lost vault.db does not lose why an appointment was canceled, or that it was deleted', async () => {
  const { kit, opened } = await openedProfile()
  const { client, session } = await clientWithSession(opened, 'Vera Moss')
  const canceled = { is_late: true, reason: 'Has the flu', is_deleted: false }
  await opened.call('sessions.cancel', { id: session.id, version: session.version, ...canceled })
  const { session: other } = await clientWithSession(opened, 'Noa Park', Date.UTC(2026, 3, 2, 9))
  await opened.call('sessions.cancel', { id: other.id, version: other.version, is_late: false, reason: null, is_deleted: true })
  const again = await openWithoutVault(kit, opened)
  await again.until(async () => (await again.call('sessions.get', { id: session.id })).cancellation?.reason !== null)
  expect((await again.call('sessions.get', { id: session.id })).cancellation).toEqual(canceled)
  const rows = await again.call('sessions.list', {})
  expect(rows.map((row) => row.session.client_id)).toEqual([client.id])
  expect(await missing(again)).toEqual([])
  await again.core.close()
})

test.each([
  ['set aside, because another profile was open in the folder', 'inventory.aw.damaged-2026-11-24T20-41-05'],
  ['named by another file system', 'INVENT~1.AW'],
])('the list of records is read where its file was %s', async (_, name) => {
  const { kit, opened } = await openedProfile()
  const { session } = await clientWithSession(opened, 'Vera Moss')
  const canceled = { is_late: true, reason: 'Has the flu', is_deleted: false }
  await opened.call('sessions.cancel', { id: session.id, version: session.version, ...canceled })
  const again = await openWithoutVault(kit, opened, (folder) => {
    renameSync(join(folder, 'inventory.aw'), join(folder, name))
    writeFileSync(join(folder, 'inventory.aw'), Buffer.alloc(900, 7))
    rmSync(join(folder, 'recordings', 'inventory.aw'))
  })
  await again.until(async () => (await again.call('sessions.get', { id: session.id })).cancellation?.reason === 'Has the flu')
  expect(await missing(again)).toEqual([])
  await again.core.close()
})

test('a session that is lost from both databases comes back with everyone who took part, because each must consent', async () => {
  const { kit, opened } = await openedProfile()
  const { session } = await clientWithSession(opened, 'Vera Moss')
  const participants = [
    { name: 'Vera Moss', role: 'client' as const },
    { name: 'Kit Moss', role: 'partner' as const },
  ]
  const patch = { participants, session_type: 'couple' as const, modality: 'video' as const, duration_minutes: 80 }
  await opened.call('sessions.update', { id: session.id, version: session.version, patch })
  const again = await openWithoutVault(kit, opened, (folder) => rmSync(join(folder, 'service.db')))
  await again.until(async () => (await again.call('sessions.list', {})).length === 1)
  expect((await again.call('sessions.get', { id: session.id })).session).toMatchObject(patch)
  await again.core.close()
})

test('a lost vault.db does not lose billing details and a record number', async () => {
  const { kit, opened } = await openedProfile()
  const { client, session } = await clientWithSession(opened, 'Vera Moss')
  const billing = { place_of_service: '10', modifier: '95', add_on_code: '90785' }
  await opened.call('sessions.update', { id: session.id, version: session.version, patch: {}, billing })
  await opened.call('clients.update', { id: client.id, version: client.version, patch: {}, record_number: 'A-17' })
  const again = await openWithoutVault(kit, opened)
  await again.until(async () => (await again.call('sessions.get', { id: session.id })).billing.modifier === '95')
  expect((await again.call('sessions.get', { id: session.id })).billing).toEqual(billing)
  expect((await again.call('clients.get', { id: client.id })).record_number).toBe('A-17')
  expect(await missing(again)).toEqual([])
  await again.core.close()
})

test('notes are found by their words after vault.db was repaired', async () => {
  const { kit, opened } = await openedProfile()
  const { session_id } = await signedWork(opened, 'Vera Moss')
  const { note } = await opened.call('notes.get', { session_id })
  const word = note!.sections.flatMap(({ statements }) => statements)[0]!.text.match(/[a-z]{6,}/)![0]
  const found = async (open: OpenCore): Promise<number> => (await open.call('search.find', { q: word })).notes.length
  const before = await found(opened)
  await opened.core.close()
  flip(kit, 'vault.db', 0.5)
  const again = await kit.open()
  expect(before).toBeGreaterThan(0)
  expect(await found(again)).toBe(before)
  await again.core.close()
})

test('a lost vault.db does not lose the microphone and the end of a finished recording, or that it waits for an engine', async () => {
  const { kit, opened: first } = await openedProfile()
  const { session } = await clientWithSession(first, 'Vera Moss')
  const recording_id = await startRecording(kit, first, session.id, 10)
  const opened = await reopened(kit, first)
  await opened.call('recordings.finish', { recording_id })
  const finished = await opened.call('recordings.get', { session_id: session.id })
  const waiting = (await opened.call('transcripts.get', { session_id: session.id })).work
  expect(waiting).toMatchObject({ state: 'waiting', error: 'engine-not-ready' })
  const again = await openWithoutVault(kit, opened)
  await again.until(async () => (await again.call('transcripts.get', { session_id: session.id })).work.state === 'waiting')
  const found = await again.call('recordings.get', { session_id: session.id })
  expect({ ...found, checked_at: null }).toEqual({ ...finished, checked_at: null })
  expect((await again.call('transcripts.get', { session_id: session.id })).work).toEqual(waiting)
  expect(await missing(again)).toEqual([])
  await again.core.close()
})

test.each(['finished', 'running'])('a lost vault.db does not hide that a %s recording was cut', async (state) => {
  const { kit, opened } = await openedProfile()
  const { session } = await clientWithSession(opened, 'Vera Moss')
  const recording_id = await startRecording(kit, opened, session.id, 100)
  if (state === 'finished') await opened.call('recordings.finish', { recording_id })
  else await opened.call('recordings.active', {})
  await opened.settled()
  await opened.core.close()
  for (const { recording_id: open } of kit.append.status()) kit.append.close(open)
  const file = join(kit.folder, 'recordings', `${recording_id}.afr`)
  let end = readFileSync(file).length
  while (readFileSync(file)[end - 1] === 0) end -= 1
  truncateSync(file, Math.floor(end / 2))
  rmSync(join(kit.folder, 'vault.db'))
  const again = await kit.open()
  const lost = async (): Promise<number> => {
    const recording = await again.call('recordings.get', { session_id: session.id })
    return (recording?.gaps ?? []).reduce((sum, { reason, duration_ms }) => sum + (reason === 'damage' ? duration_ms : 0), 0)
  }
  await again.until(async () => (await lost()) > 9000)
  expect(await lost()).toBeLessThan(11_000)
  expect((await again.call('recordings.get', { session_id: session.id }))?.saved_ms).toBe(20_000)
  await again.core.close()
})
