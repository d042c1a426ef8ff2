import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PAGE_BYTES } from '#base/page-format.ts'
import { copyOf, makeProfile, pageOf, type Profile } from './damage-kit.ts'
import { isComplete, openedProfile, reopened, reported, taken } from '../compare-kit.ts'
import { clientWithSession } from '../core-kit.ts'
import { format, recordOf } from '../recordings/recording-kit.ts'

let profile: Profile
beforeAll(async () => {
  profile = await makeProfile(2)
}, 120_000)
afterAll(() => profile.kit.remove())

function overwritten(path: string, page: number): void {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0x5a, (page - 1) * PAGE_BYTES, page * PAGE_BYTES))
}

/** Of each database: the page with its sessions is gone, or all of it. */
const damages = {
  'sessions of the vault, all of the service': { 'vault.db': 'sessions', 'service.db': null },
  'all of the vault, sessions of the service': { 'vault.db': null, 'service.db': 'sessions' },
  'sessions of both': { 'vault.db': 'sessions', 'service.db': 'sessions' },
} as const

test.each(Object.entries(damages))(
  'transcripts and notes whose sessions are lost are shown in sessions of the same client and time: %s',
  async (_, files) => {
    const { folder, openAgain, remove } = copyOf(profile)
    onTestFinished(remove)
    for (const [file, table] of Object.entries(files)) {
      if (table === null) writeFileSync(join(folder, file), Buffer.alloc(40_960, 0x5a))
      else overwritten(join(folder, file), await pageOf(profile, file, table))
    }
    const opened = await openAgain()
    await isComplete(opened)
    for (const [index, id] of profile.sessionIds.entries()) {
      const { session } = await opened.call('sessions.get', { id })
      expect(session.starts_at).toBe(new Date(Date.UTC(2024, 0, 1 + index, 9)).toISOString())
      const { client } = await opened.call('clients.get', { id: session.client_id })
      expect(client.display_name).toBe(profile.names[index])
      await opened.until(async () => (await opened.call('transcripts.get', { session_id: id })).transcript !== null)
      await opened.until(async () => (await opened.call('notes.get', { session_id: id })).note !== null)
    }
    const lost = (await opened.call('recovery.reports', {})).flatMap(({ items }) => items.filter((item) => !item.is_recovered))
    expect(lost.filter(({ kind }) => kind === 'transcript' || kind === 'note')).toEqual([])
    expect((await opened.call('outbox.status', {})).needs_you).toBe(0)
    await opened.core.close()
  },
)

test.each([
  ['bookmarks come back with their recording', false],
  ['bookmarks are named with a recording that is lost as well', true],
])('%s', async (_, isRecordingLost) => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  const { session } = await clientWithSession(opened, 'Marked')
  const asked = { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await opened.call('recordings.start', asked)
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await opened.call('recordings.addMark', { recording_id, at_ms: 800, text: 'here' })
  await opened.call('recordings.finish', { recording_id })
  await opened.settled()
  await opened.core.close()
  older.putBack()
  if (isRecordingLost) rmSync(join(kit.folder, 'recordings', `${recording_id}.afr`))
  opened = await kit.open()
  await opened.until(async () => (await reported(opened)).some(({ items }) => items.some((item) => item.startsWith('bookmark'))))
  const items = (await opened.call('recovery.reports', {})).flatMap((report) => report.items)
  expect(items.filter(({ kind }) => kind === 'bookmark')).toMatchObject([
    { is_recovered: !isRecordingLost, client_name: 'Marked' },
  ])
  const recording = await opened.call('recordings.get', { session_id: session.id })
  expect(recording?.marks.map(({ text }) => text) ?? null).toEqual(isRecordingLost ? null : ['here'])
  await opened.core.close()
})

test('a session that came back in an older version does not stop the comparison', async () => {
  const { kit, opened: first } = await openedProfile()
  const { session } = await clientWithSession(first, 'Ida Brandt')
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  await opened.call('sessions.update', { id: session.id, version: 1, patch: { duration_minutes: 40 } })
  await clientWithSession(opened, 'Lost')
  await opened.settled()
  await opened.core.close()
  older.putBack()
  opened = await kit.open()
  await opened.until(async () => (await reported(opened)).some(({ items }) => items.includes('consent of Lost: false')))
  const items = (await opened.call('recovery.reports', {})).flatMap((report) => report.items)
  expect(items.filter(({ kind, client_name }) => kind === 'session' && client_name === 'Ida Brandt')).toMatchObject([
    { is_recovered: false, is_partial: true },
  ])
  await opened.core.close()
})

test('an older vault.db that still has to send a session takes what was changed in it since', async () => {
  const { kit, opened: first } = await openedProfile()
  const { id: client_id } = await first.call('clients.create', { display_name: 'Ida Brandt' })
  let opened = await reopened(kit, first)
  const starts_at = '2024-03-04T09:00:00.000Z'
  const { id } = await opened.call('sessions.create', { client_id, session_type: 'individual', starts_at, duration_minutes: 50 })
  const older = taken(kit, 'vault.db')
  await opened.settled()
  await opened.call('sessions.update', { id, version: 1, patch: { duration_minutes: 25 } })
  await opened.settled()
  await opened.core.close()
  older.putBack()
  opened = await kit.open()
  await opened.settled()
  expect((await opened.call('sessions.get', { id })).session.duration_minutes).toBe(25)
  await opened.core.close()
})

test.each([
  ['as it was recreated', false],
  ['changed since it was recreated', true],
])('a lost client and session, %s, are whole again once an earlier service.db is put back', async (_, isChanged) => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  const { id } = await opened.call('clients.create', { display_name: 'Ida Brandt', phone: '555-0100' })
  const booked = { client_id: id, session_type: 'couple', starts_at: '2024-03-04T09:00:00.000Z', duration_minutes: 25 } as const
  const session = await opened.call('sessions.create', booked)
  await opened.settled()
  await opened.core.close()
  const complete = taken(kit, 'service.db')
  older.putBack()
  opened = await kit.open()
  await opened.until(async () => (await reported(opened)).length > 0)
  await opened.settled()
  const { client } = await opened.call('clients.get', { id })
  expect(client).toMatchObject({ display_name: 'Ida Brandt', phone: null })
  if (isChanged) await opened.call('clients.update', { id, version: client.version, patch: { phone: '555-0199' } })
  await opened.settled()
  await opened.core.close()
  complete.putBack()
  opened = await kit.open()
  await opened.settled()
  expect((await opened.call('clients.get', { id })).client).toMatchObject({ phone: '555-0100' })
  expect((await opened.call('sessions.get', { id: session.id })).session).toMatchObject(booked)
  const lost = (await opened.call('recovery.reports', {})).flatMap(({ items }) => items.filter((item) => !item.is_recovered))
  expect(lost.filter(({ kind }) => kind === 'client' || kind === 'session')).toEqual([])
  await opened.core.close()
})
